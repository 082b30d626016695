/** Adds the values of entries to blocks, drafts to entries, entries to collections, and what entries have to do when their collection changes. */
import './blocks/block-value-types.ts';
import './drafts/mutations.ts';
import './read/collection-entries.ts';
import './blocks/sanitise-after-schema-change.ts';
