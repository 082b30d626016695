/** Adds orders to the schema. */
import './queries.ts';
import './mutations.ts';
import './customers.ts';
import './subscriptions.ts';
