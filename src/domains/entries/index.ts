/** Adds the values of entries to blocks. */
import './block-value.ts';
