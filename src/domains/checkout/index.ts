/** Adds quotes, checkout and refunds to the schema, and orders to what payment events can be about. */
import './queries.ts';
import './mutations.ts';
import './order-payments.ts';
