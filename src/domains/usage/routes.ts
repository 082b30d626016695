/** REST route of API usage: `/v1/businesses/{businessId}/usage`. */
import * as operations from '../../generated/operations.ts';
import { defineCustomRoute } from '../../rest/route.ts';

export const routes = [
  defineCustomRoute('GET', '/v1/businesses/:businessId/usage', operations.ListUsageDocument, {
    response: { value: 'usage', as: 'usage' },
    query: ['days', 'kind'],
  }),
];
