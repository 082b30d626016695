/** `/v1/businesses/{businessId}/usage` */
import * as operations from '../../generated/operations.ts';
import { act } from '../row.ts';

export const rows = [
  act('GET', '/v1/businesses/:businessId/usage', operations.ListUsageDocument, {
    answer: { value: 'usage', as: 'usage' },
    query: ['days', 'kind'],
  }),
];
