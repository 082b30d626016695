/** Adds webhooks to the schema. */
import './queries.ts';
import './mutations.ts';
