/** Test setup: one app and an in-process webhook receiver, reset before each test. */
import { beforeAll, beforeEach, expect } from 'vitest';
import { deliverDueWebhooks } from '../../src/domains/webhooks/delivery/deliver-webhooks.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import {
  acceptWebhook,
  listDeliveries,
  makeDeliveriesDue,
  startWebhookReceiver,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookReceiver,
  webhooksPath,
} from '../support/webhook-receiver.ts';

export const env = { WEBHOOK_ALLOW_PRIVATE: 'on' };
export let t: TestApp;
export let hooks: WebhookReceiver;
export let shop: Shop;

beforeAll(async () => {
  t = await testApp(env);
  hooks = await startWebhookReceiver();
});

beforeEach(async () => {
  // Removes pending deliveries of earlier tests.
  await t.db.write('delete from webhook_events');
  shop = await t.shop();
  hooks.received.length = 0;
  hooks.respond = acceptWebhook;
});

export const createProducts = async (to: Shop = shop, times = 1) => {
  for (let count = 0; count < times; count += 1)
    await t.rest('POST', `/v1/businesses/${to.businessId}/products`, {
      as: to.admin,
      body: { name: newId() },
    });
};
export const deliverNow = async () => {
  await makeDeliveriesDue(t);
  await deliverDueWebhooks(t.app.services);
};
export const onlyDelivery = async (endpoint: WebhookEndpoint): Promise<WebhookDelivery> => {
  const [first, ...rest] = await listDeliveries(t, shop, endpoint);
  expect(rest).toEqual([]);
  return first ?? expect.unreachable('there is a delivery');
};
export const readEndpoint = async ({ id }: WebhookEndpoint) =>
  (await t.rest<WebhookEndpoint>('GET', `${webhooksPath(shop)}/${id}`, { as: shop.admin })).body;
export const respondWith =
  (status: number, headers: Record<string, string> = {}, body = ''): WebhookReceiver['respond'] =>
  (response) => {
    response.writeHead(status, headers).end(body);
  };
