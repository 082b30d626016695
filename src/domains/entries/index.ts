/** Adds the values of entries to blocks, and what entries have to do when their collection changes. */
import './block-value.ts';
import './sanitise-entries.ts';
