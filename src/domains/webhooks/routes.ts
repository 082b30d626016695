/** REST routes of webhooks: `/v1/businesses/{businessId}/webhooks`. */
import * as operations from '../../generated/operations.ts';
import { customRoute, deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const webhooks = '/v1/businesses/:businessId/webhooks';
const webhook = `${webhooks}/:id` as const;
const deliveries = `${webhooks}/:endpointId/deliveries` as const;
const delivery = `${deliveries}/:id` as const;

export const routes = [
  postRoute(webhooks, operations.CreateWebhookEndpointDocument, {
    response: 'createWebhookEndpoint.webhookEndpoint',
  }),
  listRoute(webhooks, operations.ListWebhookEndpointsDocument, { response: 'webhookEndpoints' }),
  getRoute(webhook, operations.GetWebhookEndpointDocument, {
    response: 'webhookEndpoint',
    recordName: 'Webhook endpoint',
  }),
  putRoute(webhook, operations.UpdateWebhookEndpointDocument, {
    response: 'updateWebhookEndpoint.webhookEndpoint',
  }),
  deleteRoute(webhook, operations.DeleteWebhookEndpointDocument, { response: 'deleteWebhookEndpoint' }),
  customRoute('POST', `${webhook}/rotate-secret`, operations.RotateWebhookSecretDocument, {
    response: 'rotateWebhookSecret.webhookEndpoint',
  }),
  customRoute('POST', `${webhook}/test`, operations.TestWebhookEndpointDocument, {
    response: 'testWebhookEndpoint.webhookDelivery',
  }),
  listRoute(deliveries, operations.ListWebhookDeliveriesDocument, {
    query: ['status'],
    response: 'webhookDeliveries',
  }),
  getRoute(delivery, operations.GetWebhookDeliveryDocument, {
    response: 'webhookDelivery',
    recordName: 'Webhook delivery',
  }),
  customRoute('POST', `${delivery}/replay`, operations.ReplayWebhookDeliveryDocument, {
    response: 'replayWebhookDelivery.webhookDelivery',
  }),
];
