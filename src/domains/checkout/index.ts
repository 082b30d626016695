/** Adds prices to variants. */
import './variant-price.ts';
