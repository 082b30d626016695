/** Adds prices to variants. */
import './prices.ts';
