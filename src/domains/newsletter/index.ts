/** Adds subscriptions to payment events, to people, to what goes with an account, and to what is kept about people or erased. */
import './account.ts';
import './edges.ts';
import './erase.ts';
import './payments.ts';
import './personal-data.ts';
