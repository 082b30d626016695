/** Contract of webhook events: every event type has a schema, and the rarer events are delivered once. The receiver of this suite validates every event against the OpenAPI contract. */
import { expect, it } from 'vitest';
import type { SandboxPaymentProvider } from '../../src/adapters/payments/sandbox.ts';
import { emitAbandonedCartEvents } from '../../src/domains/carts/emit-abandoned-cart-events.ts';
import {
  testWebhookEventType,
  webhookEventDescriptions,
} from '../../src/domains/webhooks/webhook-event-types.ts';
import { eventSchemas } from '../../src/generated/domains/event-data.ts';
import { newId } from '../../src/lib/ids.ts';
import { runBulk } from '../bulk/setup.ts';
import { assertWebhookMatchesContract, contract } from '../support/contract-check.ts';
import { addProduct } from '../support/shop-fixtures.ts';
import { call, endpoint, guest, receivedEvents, shop, t } from './events-setup.ts';

const types = async () => (await receivedEvents()).map(({ type }) => type);
const sandbox = () => t.app.services.payments as SandboxPaymentProvider;
const sessionOf = ({ checkoutUrl }: { checkoutUrl: string }) => checkoutUrl.split('/').at(-1) ?? '';

it('describes every event type with its data in the contract', () => {
  const eventTypes = [...Object.keys(webhookEventDescriptions), testWebhookEventType].sort();
  expect(Object.keys(eventSchemas).sort()).toEqual(eventTypes);
  expect(Object.keys(contract.webhooks as object).sort()).toEqual(eventTypes);
  const message = { type: 'stock.low', timestamp: '2026-01-01T00:00:00.000Z', data: {} };
  expect(() => assertWebhookMatchesContract(message)).toThrow(/required property 'businessId'/);
  const member = { id: newId(), businessId: newId(), userId: newId() };
  const invalidMessage = {
    ...message,
    type: 'customer_group.member_added',
    data: { ...member, email: 'a@b.example' },
  };
  expect(() => assertWebhookMatchesContract(invalidMessage)).toThrow(/additional properties/);
});

it('emits events for shipments and returns', async () => {
  const pot = await addProduct(t, shop, { price: 1000, stock: 10 });
  const bought = await call<{ orderId: string; checkoutUrl: string }>(
    'POST',
    'orders/checkout',
    { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 3 }] },
    guest,
  );
  await sandbox().applyAction(sessionOf(bought), 'pay');
  const order = `orders/${bought.orderId}`;
  const lines = [{ line: 0, quantity: 3 }];
  const tracking = { carrier: 'DHL', trackingNumber: '1', trackingUrl: 'https://track.example/1' };
  const { id } = await call<{ id: string }>('POST', `${order}/fulfilments`, { lines, ...tracking });
  await receivedEvents();
  await call('PUT', `${order}/fulfilments/${id}`, { status: 'DELIVERED' });
  expect(await types()).toEqual(['order.fulfilment_updated', 'order.status_changed']);
  const requestReturn = () =>
    call<{ id: string }>('POST', `${order}/returns`, { lines: [{ line: 0, quantity: 1 }] }, guest);
  const decide = async (action: string, body?: object, as = shop.admin) =>
    call('POST', `${order}/returns/${(await requestReturn()).id}/${action}`, body, as);
  await decide('withdraw', undefined, guest);
  await decide('refuse', { reason: 'Worn.' });
  await decide('accept', {});
  expect(new Set(await types())).toEqual(
    new Set(
      ['accepted', 'refused', 'requested', 'withdrawn']
        .map((decision) => `order.return_${decision}`)
        .concat('payment.refunded'),
    ),
  );
});

it('emits events for renewals', async () => {
  const price = { amount: 500, currency: 'usd', interval: 'MONTHLY' };
  const newsletter = await call<{ id: string }>('POST', 'collections', {
    name: 'Letter',
    type: 'NEWSLETTER',
    plans: [{ id: 'pro', name: 'Pro', price }],
  });
  const subscription = await call<{ checkoutUrl: string }>(
    'POST',
    `collections/${newsletter.id}/subscribe`,
    { email: `${newId()}@mail.example`, planId: 'pro' },
    guest,
  );
  await sandbox().applyAction(sessionOf(subscription), 'pay');
  await receivedEvents();
  await sandbox().applyRecurringAction(sessionOf(subscription), 'renew');
  expect(await types()).toEqual(['subscription.renewed']);
  await sandbox().applyRecurringAction(sessionOf(subscription), 'fail-renewal');
  expect(await types()).toEqual(['subscription.past_due']);
});

it('emits events for abandoned carts, exports and endpoint tests', async () => {
  const pot = await addProduct(t, shop, { price: 1000, stock: 10 });
  const cart = await call<{ id: string }>('POST', 'carts', { market: 'US' }, guest);
  await call('POST', 'carts/me/lines', { ...pot, quantity: 1 }, guest);
  await receivedEvents();
  await t.db.write('update carts set updated_at = 0 where id = $1', [cart.id]);
  await emitAbandonedCartEvents(t.app.services);
  expect(await types()).toEqual(['cart.abandoned']);
  await runBulk(t, shop, 'exports', { resource: 'PRODUCTS' });
  expect(await types()).toEqual(['bulk.finished']);
  await call('POST', `webhooks/${endpoint.id}/test`);
  expect(await types()).toEqual(['webhook.test']);
  const { data } = await t.graphql(
    'query ($b: ID!) { webhookDeliveries(businessId: $b, first: 2) { nodes { type topic } } }',
    { b: shop.businessId },
    { as: shop.admin },
  );
  expect(data).toEqual({
    webhookDeliveries: {
      nodes: [
        { type: 'webhook.test', topic: null },
        { type: 'bulk.finished', topic: 'BULK_FINISHED' },
      ],
    },
  });
});
