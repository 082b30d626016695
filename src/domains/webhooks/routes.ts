/** `/v1/businesses/{businessId}/webhooks` */
import * as operations from '../../generated/operations.ts';
import { act, create, get, list, remove, update } from '../../rest/row.ts';

const webhooks = '/v1/businesses/:businessId/webhooks';
const webhook = `${webhooks}/:id` as const;
const deliveries = `${webhooks}/:endpointId/deliveries` as const;
const delivery = `${deliveries}/:id` as const;

export const routes = [
  create(webhooks, operations.CreateWebhookEndpointDocument, {
    answer: 'createWebhookEndpoint.webhookEndpoint',
  }),
  list(webhooks, operations.ListWebhookEndpointsDocument, { answer: 'webhookEndpoints' }),
  get(webhook, operations.GetWebhookEndpointDocument, {
    answer: 'webhookEndpoint',
    missing: 'Webhook endpoint',
  }),
  update(webhook, operations.UpdateWebhookEndpointDocument, {
    answer: 'updateWebhookEndpoint.webhookEndpoint',
  }),
  remove(webhook, operations.DeleteWebhookEndpointDocument, { answer: 'deleteWebhookEndpoint' }),
  act('POST', `${webhook}/rotate-secret`, operations.RotateWebhookSecretDocument, {
    answer: 'rotateWebhookSecret.webhookEndpoint',
  }),
  act('POST', `${webhook}/test`, operations.TestWebhookEndpointDocument, {
    answer: 'testWebhookEndpoint.webhookDelivery',
  }),
  list(deliveries, operations.ListWebhookDeliveriesDocument, {
    query: ['status'],
    answer: 'webhookDeliveries',
  }),
  get(delivery, operations.GetWebhookDeliveryDocument, {
    answer: 'webhookDelivery',
    missing: 'Webhook delivery',
  }),
  act('POST', `${delivery}/replay`, operations.ReplayWebhookDeliveryDocument, {
    answer: 'replayWebhookDelivery.webhookDelivery',
  }),
];
