/** Adds subscriptions to payment events, to people, and to what is kept about people or erased. */
import './edges.ts';
import './erase.ts';
import './payments.ts';
import './personal-data.ts';
