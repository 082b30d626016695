/** Adds entries to the schema. */
import './block-value.ts';
import './queries.ts';
import './mutations.ts';
import './sanitise-entries.ts';
