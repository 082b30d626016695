/** Tells searches for people about the customers of a business, payment events about orders, and others the way to orders. */
import './customers.ts';
import './edges.ts';
import './payments.ts';
