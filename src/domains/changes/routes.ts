/** `/v1/businesses/{businessId}/changes` */
import * as operations from '../../generated/operations.ts';
import { list } from '../../rest/row.ts';

export const routes = [
  list('/v1/businesses/:businessId/changes', operations.ListChangesDocument, {
    answer: 'changes',
    query: ['kind', 'recordId', 'actor', 'userId', 'since', 'until'],
  }),
];
