/** The rarer events, each delivered once; whatever a receiver of this suite verifies is held against the printed contract. */
import { expect, it } from 'vitest';
import type { SandboxPayments } from '../../src/adapters/payments/sandbox.ts';
import { announceAbandonedCarts } from '../../src/domains/carts/abandoned-carts.ts';
import { testEventType, webhookEventTypes } from '../../src/domains/webhooks/events.ts';
import { eventSchemas } from '../../src/generated/domains/event-data.ts';
import { newId } from '../../src/lib/ids.ts';
import { done } from '../bulk/setup.ts';
import { contract, holdMessage } from '../support/openapi.ts';
import { addProduct } from '../support/selling.ts';
import { call, endpoint, guest, receivedEvents, shop, t } from './events-setup.ts';

const types = async () => (await receivedEvents()).map(({ type }) => type);
const sandbox = () => t.app.services.payments as SandboxPayments;
const pageOf = ({ checkoutUrl }: { checkoutUrl: string }) => checkoutUrl.split('/').at(-1) ?? '';

it('are all in the contract, with what they carry', () => {
  const known = [...Object.keys(webhookEventTypes), testEventType].sort();
  expect(Object.keys(eventSchemas).sort()).toEqual(known);
  expect(Object.keys(contract.webhooks as object).sort()).toEqual(known);
  const message = { type: 'stock.low', timestamp: '2026-01-01T00:00:00.000Z', data: {} };
  expect(() => holdMessage(message)).toThrow(/required property 'businessId'/);
  const member = { id: newId(), businessId: newId(), userId: newId() };
  const wrong = {
    ...message,
    type: 'customer_group.member_added',
    data: { ...member, email: 'a@b.example' },
  };
  expect(() => holdMessage(wrong)).toThrow(/additional properties/);
});

it('tell of shipments and returns', async () => {
  const pot = await addProduct(t, shop, { price: 1000, stock: 10 });
  const bought = await call<{ orderId: string; checkoutUrl: string }>(
    'POST',
    'orders/checkout',
    { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 3 }] },
    guest,
  );
  await sandbox().applyAction(pageOf(bought), 'pay');
  const order = `orders/${bought.orderId}`;
  const lines = [{ line: 0, quantity: 3 }];
  const tracking = { carrier: 'DHL', trackingNumber: '1', trackingUrl: 'https://track.example/1' };
  const { id } = await call<{ id: string }>('POST', `${order}/fulfilments`, { lines, ...tracking });
  await receivedEvents();
  await call('PUT', `${order}/fulfilments/${id}`, { status: 'DELIVERED' });
  expect(await types()).toEqual(['order.fulfilment_updated', 'order.status_changed']);
  const ask = () =>
    call<{ id: string }>('POST', `${order}/returns`, { lines: [{ line: 0, quantity: 1 }] }, guest);
  const answer = async (what: string, body?: object, as = shop.admin) =>
    call('POST', `${order}/returns/${(await ask()).id}/${what}`, body, as);
  await answer('withdraw', undefined, guest);
  await answer('refuse', { reason: 'Worn.' });
  await answer('accept', {});
  expect(new Set(await types())).toEqual(
    new Set(
      ['accepted', 'refused', 'requested', 'withdrawn']
        .map((what) => `order.return_${what}`)
        .concat('payment.refunded'),
    ),
  );
});

it('tell of renewals', async () => {
  const price = { amount: 500, currency: 'usd', interval: 'MONTHLY' };
  const letter = await call<{ id: string }>('POST', 'collections', {
    name: 'Letter',
    type: 'NEWSLETTER',
    plans: [{ id: 'pro', name: 'Pro', price }],
  });
  const subscribed = await call<{ checkoutUrl: string }>(
    'POST',
    `collections/${letter.id}/subscribe`,
    { email: `${newId()}@mail.example`, planId: 'pro' },
    guest,
  );
  await sandbox().applyAction(pageOf(subscribed), 'pay');
  await receivedEvents();
  await sandbox().applyRecurringAction(pageOf(subscribed), 'renew');
  expect(await types()).toEqual(['subscription.renewed']);
  await sandbox().applyRecurringAction(pageOf(subscribed), 'fail-renewal');
  expect(await types()).toEqual(['subscription.past_due']);
});

it('tell of carts left behind, of exports, and of somebody who tries', async () => {
  const pot = await addProduct(t, shop, { price: 1000, stock: 10 });
  const cart = await call<{ id: string }>('POST', 'carts', { market: 'US' }, guest);
  await call('POST', 'carts/me/lines', { ...pot, quantity: 1 }, guest);
  await receivedEvents();
  await t.db.sql('update carts set updated_at = 0 where id = $1', [cart.id]);
  await announceAbandonedCarts(t.app.services);
  expect(await types()).toEqual(['cart.abandoned']);
  await done(t, shop, 'exports', { resource: 'PRODUCTS' });
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
