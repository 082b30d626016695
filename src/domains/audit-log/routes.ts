/** REST route of the audit log: `/v1/businesses/{businessId}/changes`. */
import * as operations from '../../generated/operations.ts';
import { defineListRoute } from '../../rest/route.ts';

export const routes = [
  defineListRoute('/v1/businesses/:businessId/changes', operations.ListChangesDocument, {
    query: ['kind', 'recordId', 'actor', 'userId', 'since', 'until'],
  }),
];
