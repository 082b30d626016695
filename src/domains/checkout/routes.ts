/** `/v1/payments/quote` and `/v1/businesses/{businessId}/orders/checkout` */
import * as operations from '../../generated/operations.ts';
import { defineCustomRoute } from '../../rest/route.ts';

export const routes = [
  defineCustomRoute('POST', '/v1/payments/quote', operations.QuoteDocument, {
    inputAliases: { items: 'lines' },
  }),
  defineCustomRoute('POST', '/v1/businesses/:businessId/orders/checkout', operations.CheckoutDocument, {
    inputAliases: { lines: 'items', quoteId: 'quote' },
  }),
];
