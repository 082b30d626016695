/** `/v1/payments/quote` and `/v1/businesses/{businessId}/orders/checkout` */
import * as operations from '../../generated/operations.ts';
import { customRoute } from '../../rest/route.ts';

export const routes = [
  customRoute('POST', '/v1/payments/quote', operations.QuoteDocument, {
    alias: { items: 'lines' },
    answer: 'quote',
  }),
  customRoute('POST', '/v1/businesses/:businessId/orders/checkout', operations.CheckoutDocument, {
    alias: { lines: 'items', quoteId: 'quote' },
    answer: 'checkout',
  }),
];
