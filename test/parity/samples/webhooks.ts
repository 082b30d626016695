/** Samples of webhooks. The endpoint subscribes to an event that no other sample emits. */
import { disposableRecordIds } from '../../../src/seed/shop-data.ts';
import { createFixture, type Samples, type World } from '../fixtures.ts';

const inShop = ({ shop }: World) => ({ businessId: shop.businessId });
const endpoint = (world: World) => ({ path: { ...inShop(world), id: world.ids.webhook ?? '' } });
const deliveries = (world: World) => ({ ...inShop(world), endpointId: world.ids.webhook ?? '' });
const delivery = (world: World) => ({ path: { ...deliveries(world), id: world.ids.delivery ?? '' } });

export const domain: Samples = {
  async prepare(t, world) {
    const path = `/v1/businesses/${world.shop.businessId}/webhooks`;
    await createFixture(t, world, 'webhook', path, {
      url: 'https://hooks.example/',
      events: ['newsletter.sent'],
    });
    await createFixture(t, world, 'delivery', `${path}/${world.ids.webhook}/test`, {});
  },
  samples: {
    CreateWebhookEndpoint: (world) => ({
      path: inShop(world),
      body: { url: 'https://hooks.example/more', description: 'More', events: ['order.*', 'stock.low'] },
    }),
    ListWebhookEndpoints: (world) => ({ path: inShop(world), query: { limit: 2 } }),
    GetWebhookEndpoint: endpoint,
    UpdateWebhookEndpoint: (world) => ({ ...endpoint(world), body: { events: ['*'], status: 'DISABLED' } }),
    DeleteWebhookEndpoint: endpoint,
    RotateWebhookSecret: endpoint,
    TestWebhookEndpoint: endpoint,
    ListWebhookDeliveries: (world) => ({ path: deliveries(world), query: { limit: 2, status: 'PENDING' } }),
    GetWebhookDelivery: delivery,
    ReplayWebhookDelivery: delivery,
  },
  demo: {
    ids: { webhook: disposableRecordIds.webhookId, delivery: disposableRecordIds.deliveryId },
    samples: {
      UpdateWebhookEndpoint: (world) => ({ ...endpoint(world), body: { description: 'Notifies the bar.' } }),
      DeleteWebhookEndpoint: (world) => ({
        path: { ...inShop(world), id: disposableRecordIds.oldWebhookId },
      }),
    },
  },
};
