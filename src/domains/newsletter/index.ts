/** Adds subscriptions to what payment events can be about, and to what is kept about people or erased. */
import './erase.ts';
import './payments.ts';
import './personal-data.ts';
