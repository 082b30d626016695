/** Adds collections to businesses. */
import './read/business-collections.ts';
