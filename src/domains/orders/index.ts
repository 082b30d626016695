/** Adds orders to the schema, and to what payment events can be about. */
import './queries.ts';
import './mutations.ts';
import './customers.ts';
import './payments.ts';
import './subscriptions.ts';
