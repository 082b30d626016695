/** Registers what orders add to other domains: customers, payment events, fields that lead to orders, personal data, erasure. */
import './read/customer-orders.ts';
import './read/order-connection-fields.ts';
import './privacy/erase-customer.ts';
import './fulfilment/mutations.ts';
import './types.ts';
import './payment/apply-payment-event.ts';
import './privacy/personal-data.ts';
import './returns/mutations.ts';
