/** Adds the catalogue to the schema. */
import './queries.ts';
import './mutations.ts';
import './subscriptions.ts';
