/** `/v1/businesses/{businessId}/usage` */
import * as operations from '../../generated/operations.ts';
import { act } from '../../rest/row.ts';

export const routes = [
  act('GET', '/v1/businesses/:businessId/usage', operations.ListUsageDocument, {
    answer: { value: 'usage', as: 'usage' },
    query: ['days', 'kind'],
  }),
];
