/** Tells searches for people about the customers of a business, and payment events about orders. */
import './customers.ts';
import './payments.ts';
