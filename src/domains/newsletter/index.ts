/** Adds subscriptions to payment events, to people, and to what is kept about people or erased. */
import './read/user-fields.ts';
import './privacy/erase-subscriptions.ts';
import './billing/payment-events.ts';
import './privacy/personal-data.ts';
