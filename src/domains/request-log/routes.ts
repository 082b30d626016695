/** REST routes of the request log. */
import * as operations from '../../generated/operations.ts';
import { defineCustomRoute, defineGetRoute, defineListRoute, defineUpdateRoutes } from '../../rest/route.ts';

const business = '/v1/businesses/:businessId';
const settings = `${business}/request-log-settings` as const;

export const routes = [
  defineListRoute(`${business}/requests`, operations.ListRequestsDocument, {
    query: ['requestId', 'protocol', 'failed', 'code', 'operation', 'client', 'since', 'until'],
  }),
  defineCustomRoute('GET', `${business}/request-errors`, operations.ListRequestErrorsDocument, {
    response: { value: 'requestErrors', as: 'errors' },
    query: ['days'],
  }),
  defineCustomRoute('GET', `${business}/request-clients`, operations.ListRequestClientsDocument, {
    response: { value: 'requestClients', as: 'clients' },
    query: ['days'],
  }),
  defineGetRoute(settings, operations.GetRequestLogSettingsDocument, { recordName: 'Business' }),
  ...defineUpdateRoutes(settings, operations.UpdateRequestLogSettingsDocument),
];
