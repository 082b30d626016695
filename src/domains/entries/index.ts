/** Adds the values of entries to blocks, entries to collections, and what entries have to do when their collection changes. */
import './block-value.ts';
import './edges.ts';
import './sanitise-entries.ts';
