/** `/v1/businesses/{businessId}/changes` */
import * as operations from '../../generated/operations.ts';
import { list } from '../row.ts';

export const rows = [
  list('/v1/businesses/:businessId/changes', operations.ListChangesDocument, {
    answer: 'changes',
    query: ['kind', 'recordId', 'actor', 'userId', 'since', 'until'],
  }),
];
