/** Adds collections to businesses. */
import './edges.ts';
