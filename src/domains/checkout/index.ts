/** Adds quotes and checkout to the schema. */
import './queries.ts';
import './mutations.ts';
