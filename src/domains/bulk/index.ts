/** Registers what imports and exports add to other domains: erasure. */
import './lifecycle/erase-personal-data.ts';
