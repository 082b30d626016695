/** Tells the erasure of accounts what there is to remove. */
import './erase-usage.ts';
