/** Adds subscriptions to what payment events can be about, and to people. */
import './edges.ts';
import './payments.ts';
