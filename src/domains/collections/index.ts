/** Adds collections to the schema. */
import './queries.ts';
import './mutations.ts';
