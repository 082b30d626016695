/** Adds newsletters to the schema. */
import './payments.ts';
import './queries.ts';
import './mutations.ts';
