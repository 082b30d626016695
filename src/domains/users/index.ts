/** Adds people, sessions and roles to the schema. */
import './queries.ts';
import './mutations.ts';
