/** `/v1/businesses/{businessId}/webhooks` */
import * as operations from '../../generated/operations.ts';
import { list, pageVariables, paging, row } from '../row.ts';

const webhooks = '/v1/businesses/:businessId/webhooks';
const webhook = `${webhooks}/:id`;
const deliveries = `${webhooks}/:endpointId/deliveries`;
const delivery = `${deliveries}/:id`;

export const webhookRows = [
  row('POST', webhooks, operations.CreateWebhookEndpointDocument, {
    variables: ({ path, body }) => ({ ...path, input: body }),
    body: (data) => data.createWebhookEndpoint.webhookEndpoint,
  }),
  row('GET', webhooks, operations.ListWebhookEndpointsDocument, {
    query: paging,
    variables: (request) => ({ ...request.path, ...pageVariables(request) }),
    body: (data) => list(data.webhookEndpoints),
  }),
  row('GET', webhook, operations.GetWebhookEndpointDocument, {
    variables: ({ path }) => path,
    body: (data) => data.webhookEndpoint,
    missing: 'Webhook endpoint',
  }),
  row('PUT', webhook, operations.UpdateWebhookEndpointDocument, {
    variables: ({ path, body, version }) => ({ ...path, input: body, version }),
    body: (data) => data.updateWebhookEndpoint.webhookEndpoint,
  }),
  row('DELETE', webhook, operations.DeleteWebhookEndpointDocument, {
    variables: ({ path, version }) => ({ ...path, version }),
    body: (data) => data.deleteWebhookEndpoint,
  }),
  row('POST', `${webhook}/rotate-secret`, operations.RotateWebhookSecretDocument, {
    variables: ({ path, version }) => ({ ...path, version }),
    body: (data) => data.rotateWebhookSecret.webhookEndpoint,
  }),
  row('POST', `${webhook}/test`, operations.TestWebhookEndpointDocument, {
    variables: ({ path }) => path,
    body: (data) => data.testWebhookEndpoint.webhookDelivery,
  }),
  row('GET', deliveries, operations.ListWebhookDeliveriesDocument, {
    query: { ...paging, status: 'string' },
    variables: (request) => ({
      ...request.path,
      ...pageVariables(request),
      status: request.query.status,
    }),
    body: (data) => list(data.webhookDeliveries),
  }),
  row('GET', delivery, operations.GetWebhookDeliveryDocument, {
    variables: ({ path }) => path,
    body: (data) => data.webhookDelivery,
    missing: 'Webhook delivery',
  }),
  row('POST', `${delivery}/replay`, operations.ReplayWebhookDeliveryDocument, {
    variables: ({ path }) => path,
    body: (data) => data.replayWebhookDelivery.webhookDelivery,
  }),
];
