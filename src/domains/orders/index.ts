/** Tells searches for people about customers, payment events about orders, others the way to orders, people what they ordered, and how it is erased. */
import './customers.ts';
import './edges.ts';
import './erase.ts';
import './payments.ts';
import './personal-data.ts';
