/** Adds subscriptions to what payment events can be about, to what goes with an account, and to what is kept about people or erased. */
import './account.ts';
import './erase.ts';
import './payments.ts';
import './personal-data.ts';
