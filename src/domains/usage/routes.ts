/** REST route of API usage: `/v1/businesses/{businessId}/usage`. */
import * as operations from '../../generated/operations.ts';
import { customRoute } from '../../rest/route.ts';

export const routes = [
  customRoute('GET', '/v1/businesses/:businessId/usage', operations.ListUsageDocument, {
    response: { value: 'usage', as: 'usage' },
    query: ['days', 'kind'],
  }),
];
