/** Adds the values of entries to blocks, drafts to entries, entries to collections, and what entries have to do when their collection changes. */
import './block-value.ts';
import './draft-mutations.ts';
import './edges.ts';
import './sanitise-entries.ts';
