/** REST routes of webhooks: `/v1/businesses/{businessId}/webhooks`. */
import * as operations from '../../generated/operations.ts';
import {
  defineCustomRoute,
  defineDeleteRoute,
  defineGetRoute,
  defineListRoute,
  definePostRoute,
  defineUpdateRoutes,
} from '../../rest/route.ts';

const webhooks = '/v1/businesses/:businessId/webhooks';
const webhook = `${webhooks}/:id` as const;
const deliveries = `${webhooks}/:endpointId/deliveries` as const;
const delivery = `${deliveries}/:id` as const;

export const routes = [
  definePostRoute(webhooks, operations.CreateWebhookEndpointDocument, {
    response: 'createWebhookEndpoint.webhookEndpoint',
  }),
  defineListRoute(webhooks, operations.ListWebhookEndpointsDocument, { response: 'webhookEndpoints' }),
  defineGetRoute(webhook, operations.GetWebhookEndpointDocument, {
    response: 'webhookEndpoint',
    recordName: 'Webhook endpoint',
  }),
  ...defineUpdateRoutes(webhook, operations.UpdateWebhookEndpointDocument, {
    response: 'updateWebhookEndpoint.webhookEndpoint',
  }),
  defineDeleteRoute(webhook, operations.DeleteWebhookEndpointDocument, { response: 'deleteWebhookEndpoint' }),
  defineCustomRoute('POST', `${webhook}/rotate-secret`, operations.RotateWebhookSecretDocument, {
    response: 'rotateWebhookSecret.webhookEndpoint',
  }),
  defineCustomRoute('POST', `${webhook}/test`, operations.TestWebhookEndpointDocument, {
    response: 'testWebhookEndpoint.webhookDelivery',
  }),
  defineListRoute(deliveries, operations.ListWebhookDeliveriesDocument, {
    query: ['status'],
    response: 'webhookDeliveries',
  }),
  defineGetRoute(delivery, operations.GetWebhookDeliveryDocument, {
    response: 'webhookDelivery',
    recordName: 'Webhook delivery',
  }),
  defineCustomRoute('POST', `${delivery}/replay`, operations.ReplayWebhookDeliveryDocument, {
    response: 'replayWebhookDelivery.webhookDelivery',
  }),
];
