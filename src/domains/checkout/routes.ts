/** `/v1/payments/quote` and `/v1/businesses/{businessId}/orders/checkout` */
import * as operations from '../../generated/operations.ts';
import { act } from '../../rest/row.ts';

export const routes = [
  act('POST', '/v1/payments/quote', operations.QuoteDocument, { alias: { items: 'lines' }, answer: 'quote' }),
  act('POST', '/v1/businesses/:businessId/orders/checkout', operations.CheckoutDocument, {
    alias: { lines: 'items', quoteId: 'quote' },
    answer: 'checkout',
  }),
];
