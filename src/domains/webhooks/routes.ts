/** `/v1/businesses/{businessId}/webhooks` */
import * as operations from '../../generated/operations.ts';
import { customRoute, deleteRoute, getRoute, listRoute, postRoute, putRoute } from '../../rest/route.ts';

const webhooks = '/v1/businesses/:businessId/webhooks';
const webhook = `${webhooks}/:id` as const;
const deliveries = `${webhooks}/:endpointId/deliveries` as const;
const delivery = `${deliveries}/:id` as const;

export const routes = [
  postRoute(webhooks, operations.CreateWebhookEndpointDocument, {
    answer: 'createWebhookEndpoint.webhookEndpoint',
  }),
  listRoute(webhooks, operations.ListWebhookEndpointsDocument, { answer: 'webhookEndpoints' }),
  getRoute(webhook, operations.GetWebhookEndpointDocument, {
    answer: 'webhookEndpoint',
    missing: 'Webhook endpoint',
  }),
  putRoute(webhook, operations.UpdateWebhookEndpointDocument, {
    answer: 'updateWebhookEndpoint.webhookEndpoint',
  }),
  deleteRoute(webhook, operations.DeleteWebhookEndpointDocument, { answer: 'deleteWebhookEndpoint' }),
  customRoute('POST', `${webhook}/rotate-secret`, operations.RotateWebhookSecretDocument, {
    answer: 'rotateWebhookSecret.webhookEndpoint',
  }),
  customRoute('POST', `${webhook}/test`, operations.TestWebhookEndpointDocument, {
    answer: 'testWebhookEndpoint.webhookDelivery',
  }),
  listRoute(deliveries, operations.ListWebhookDeliveriesDocument, {
    query: ['status'],
    answer: 'webhookDeliveries',
  }),
  getRoute(delivery, operations.GetWebhookDeliveryDocument, {
    answer: 'webhookDelivery',
    missing: 'Webhook delivery',
  }),
  customRoute('POST', `${delivery}/replay`, operations.ReplayWebhookDeliveryDocument, {
    answer: 'replayWebhookDelivery.webhookDelivery',
  }),
];
