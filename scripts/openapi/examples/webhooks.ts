/** OpenAPI example values for fields of webhook endpoints and deliveries, by GraphQL coordinate. */
export const fields = {
  'WebhookEndpoint.url': 'https://hooks.shop.example/duet',
  'WebhookEndpoint.description': 'Notifies the warehouse.',
  'WebhookEndpoint.events': ['order.*', 'stock.low'],
  'WebhookEndpoint.secret': 'whsec_****4bPq',
  'WebhookDelivery.type': 'stock.low',
  'WebhookDelivery.lastStatusCode': 200,
  'WebhookDelivery.lastResponse': 'OK',
  'WebhookDelivery.lastDurationMs': 84,
};
