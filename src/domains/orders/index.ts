/** Adds orders to what payment events can be about. */
import './payments.ts';
