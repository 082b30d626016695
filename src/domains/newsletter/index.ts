/** Adds subscriptions to what payment events can be about, and to what goes with an account. */
import './account.ts';
import './payments.ts';
