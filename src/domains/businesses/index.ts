/** Adds businesses and their configuration to the schema. */
import './queries.ts';
import './mutations.ts';
import './staff.ts';
