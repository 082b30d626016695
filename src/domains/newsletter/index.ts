/** Adds subscriptions to what payment events can be about. */
import './payments.ts';
