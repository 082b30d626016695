/** Tells searches for people about the customers of a business, payment events about orders, people what they ordered, and how that is erased. */
import './customers.ts';
import './erase.ts';
import './payments.ts';
import './personal-data.ts';
