/** Adds newsletters to the schema. */
import './payment-events.ts';
import './queries.ts';
import './mutations.ts';
