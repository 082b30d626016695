/** Registers what imports and exports add to other domains: erasure. */
import './erase.ts';
