/** Adds to the schema what queries and mutations of entries do not: the values of blocks that point to other records. */
import './block-value.ts';
