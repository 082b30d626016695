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
  definePostRoute(webhooks, operations.CreateWebhookEndpointDocument),
  defineListRoute(webhooks, operations.ListWebhookEndpointsDocument),
  defineGetRoute(webhook, operations.GetWebhookEndpointDocument, { recordName: 'Webhook endpoint' }),
  ...defineUpdateRoutes(webhook, operations.UpdateWebhookEndpointDocument),
  defineDeleteRoute(webhook, operations.DeleteWebhookEndpointDocument),
  defineCustomRoute('POST', `${webhook}/rotate-secret`, operations.RotateWebhookSecretDocument),
  defineCustomRoute('POST', `${webhook}/test`, operations.TestWebhookEndpointDocument),
  defineListRoute(deliveries, operations.ListWebhookDeliveriesDocument, { query: ['status'] }),
  defineGetRoute(delivery, operations.GetWebhookDeliveryDocument, { recordName: 'Webhook delivery' }),
  defineCustomRoute('POST', `${delivery}/replay`, operations.ReplayWebhookDeliveryDocument),
];
