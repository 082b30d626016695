/** Attacks on the money of others: keys, events, ids, quotes and currencies of another order, caller or business. */
import { describe, expect, it } from 'vitest';
import {
  actOnPage,
  balanceAtProvider,
  buy,
  edit,
  guest,
  other,
  pot,
  refund,
  requestPaymentLink,
  sandbox,
  sessionOf,
  shop,
  stateOf,
  t,
} from './../payments/setup.ts';
import type { Person } from '../support/app.ts';
import { createPaymentEvent, signEventRequest, webhookPath } from '../support/payment-events.ts';
import { addProduct } from '../support/shop-fixtures.ts';

describe('an Idempotency-Key', () => {
  it('of another caller gives neither their response nor a conflict', async () => {
    const headers = { 'idempotency-key': 'shared-key' };
    const body = { market: 'US', shippingMethodId: 'standard', items: [{ ...pot, quantity: 1 }] };
    const callers = [guest, await t.guest(), await t.person(), await t.withApiKey(shop.admin)];
    const answers = await Promise.all(
      callers.map((as) =>
        t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, { as, body, headers }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body: { orderId } }) => orderId)).size).toBe(4);
  });

  it('used for many requests at once refunds once, for another request not at all', async () => {
    const page = await buy();
    await actOnPage(page, 'pay');
    const headers = { 'idempotency-key': 'refund-once' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => refund(page.orderId, { amount: 100 }, headers)),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect((await refund(page.orderId, { amount: 101 }, headers)).status).toBe(409);
    const second = await buy();
    await actOnPage(second, 'pay');
    expect((await refund(second.orderId, { amount: 100 }, headers)).status).toBe(409);
    await t.app.drainJobs();
    expect([await balanceAtProvider(page), await balanceAtProvider(second)]).toEqual([1573, 1673]);
  });
});

describe('payment events', () => {
  it('that are replayed, old, altered or of another provider change nothing', async () => {
    const page = await buy();
    const signed = await sandbox.applyAction(sessionOf(page), 'pay');
    if (!signed) throw new Error('no event');
    const event = { ...signed, id: 'replayed' };
    const send = async ({ body, headers }: ReturnType<typeof signEventRequest>) =>
      (await t.rest('POST', webhookPath, { body, headers })).status;
    const request = signEventRequest(sandbox, event);
    const forged = { ...request, body: request.body.replace('1673', '1') };
    expect(await send(forged)).toBe(400);
    expect(await send(signEventRequest(sandbox, event, Math.floor(Date.now() / 1000) - 3600))).toBe(400);
    expect((await t.rest('POST', '/v1/payments/webhooks/stripe', request)).status).toBeGreaterThanOrEqual(
      400,
    );
    expect((await stateOf(page.orderId)).captured).toBe(0);
    for (let n = 0; n < 3; n += 1) expect(await send(request)).toBe(200);
    await t.app.drainJobs();
    for (let n = 0; n < 3; n += 1) expect(await send(request)).toBe(200);
    await t.app.drainJobs();
    expect(await stateOf(page.orderId)).toMatchObject({ captured: 1673, refunded: 0, refunds: [] });
  });

  it.each([
    ['less', { amount: 1 }],
    ['more', { amount: 16_730 }],
    ['another currency', { currency: 'JPY' }],
  ])('of %s do not pay an order', async (_name, wrong) => {
    const page = await buy();
    const event = createPaymentEvent(page.orderId, { amount: 1673, sessionId: sessionOf(page), ...wrong });
    const request = signEventRequest(sandbox, event);
    expect((await t.rest('POST', webhookPath, request)).status).toBe(200);
    expect(await stateOf(page.orderId)).toMatchObject({ captured: 0, status: 'PENDING' });
  });
});

describe('ids of others', () => {
  it('in every request about the money of an order are 404, and change nothing', async () => {
    const page = await buy(2);
    await actOnPage(page, 'pay');
    const { body: made } = await refund(page.orderId, { amount: 10 });
    await t.rest('POST', `${shop.orders}/${page.orderId}/fulfilments`, {
      as: shop.admin,
      body: { lines: [{ line: 0, quantity: 1 }] },
    });
    const { body: wanted } = await t.rest<{ id: string }>('POST', `${shop.orders}/${page.orderId}/returns`, {
      as: guest,
      body: { lines: [{ line: 0, quantity: 1 }] },
    });
    const own = await buy();
    await actOnPage(own, 'pay');
    const requests = (orders: string, id: string): [string, string, object][] => [
      ['POST', `${orders}/${id}/refunds`, {}],
      ['POST', `${orders}/${id}/refunds/${made.id}/retry`, {}],
      ['POST', `${orders}/${id}/payment-link`, {}],
      ['POST', `${orders}/${id}/fulfilments`, {}],
      ['POST', `${orders}/${id}/returns`, { lines: [{ line: 0, quantity: 1 }] }],
      ['POST', `${orders}/${id}/returns/${wanted.id}/accept`, {}],
      ['POST', `${orders}/${id}/returns/${wanted.id}/refuse`, { reason: 'x' }],
      ['POST', `${orders}/${id}/returns/${wanted.id}/withdraw`, {}],
      ['POST', `${orders}/${id}/revoke-links`, {}],
      ['PUT', `${orders}/${id}/status`, { status: 'CANCELLED' }],
      ['PUT', `${orders}/${id}/payment-status`, { status: 'REFUNDED' }],
      ['PUT', `${orders}/update`, { id, total: 0 }],
    ];
    const before = await stateOf(page.orderId);
    const status = async ([method, path, body]: [string, string, object], as: Person) =>
      `${path.split('/').slice(6).join('/')} ${(await t.rest(method, path, { as, body })).status}`;
    for (const request of requests(other.orders, page.orderId))
      expect(await status(request, other.admin)).toMatch(/ 404$/);
    for (const request of requests(shop.orders, page.orderId)) {
      expect(await status(request, other.admin)).toMatch(/ 40[34]$/);
      expect(await status(request, await t.guest())).toMatch(/ 40[34]$/);
    }
    // Refund and return of another order of the same business.
    const paths = [
      `refunds/${made.id}/retry`,
      `returns/${wanted.id}/accept`,
      `returns/${wanted.id}/refuse`,
      `returns/${wanted.id}/withdraw`,
    ];
    for (const path of paths)
      expect(
        await status(['POST', `${shop.orders}/${own.orderId}/${path}`, { reason: 'x' }], shop.admin),
      ).toMatch(/ 404$/);
    expect(await stateOf(page.orderId)).toEqual(before);
  });

  it('of products and customers cannot be put into an order', async () => {
    const foreign = await addProduct(t, other, { price: 1 });
    const page = await buy();
    const lines = [{ ...foreign, quantity: 1 }];
    const customerId = (await t.person()).userId;
    const statuses = [
      (await edit(page.orderId, { lines })).status,
      (
        await edit(page.orderId, {
          lines: [{ productId: pot.productId, variantId: foreign.variantId, quantity: 1 }],
        })
      ).status,
      (await edit(page.orderId, { customerId })).status,
      (await t.rest('POST', shop.orders, { as: shop.admin, body: { market: 'US', lines } })).status,
      (
        await t.rest('POST', `${shop.orders}/checkout`, {
          as: guest,
          body: { market: 'US', shippingMethodId: 'standard', items: lines },
        })
      ).status,
    ];
    expect(statuses).toEqual([422, 422, 422, 422, 422]);
  });

  it('of a quote for another business, cart or customer do not lower a price', async () => {
    const cheap = await addProduct(t, other, { price: 1 });
    const quote = async (as: Person, businessId: string, lines: object[]) =>
      (
        await t.rest<{ id: string }>('POST', '/v1/payments/quote', {
          as,
          body: { businessId, market: 'US', shippingMethodId: 'standard', lines },
        })
      ).body.id;
    const foreign = await quote(guest, other.businessId, [{ ...cheap, quantity: 1 }]);
    const one = await quote(guest, shop.businessId, [{ ...pot, quantity: 1 }]);
    for (const [id, quantity] of [
      [foreign, 1],
      [one, 2],
      [`${one}x`, 1],
      [one.split('.').with(0, 'eyJhbGciOiJub25lIn0').join('.'), 1],
    ] as const) {
      const { status } = await t.rest('POST', `${shop.orders}/checkout`, {
        as: guest,
        body: { market: 'US', shippingMethodId: 'standard', quote: id, items: [{ ...pot, quantity }] },
      });
      expect(status).toBe(422);
    }
  });
});

describe('currencies', () => {
  it('that no provider knows, or in another case, never lead to a page of another currency', async () => {
    for (const currency of ['XXX', 'XTS', 'ZZZ', 'U S', 'U', '$', 'ＵＳＤ', 'uſd']) {
      const { status } = await t.rest('POST', shop.orders, {
        as: shop.admin,
        body: { market: 'NOWHERE', currency, lines: [{ ...pot, quantity: 1, unitPrice: 100 }] },
      });
      expect([currency, status === 200 || status === 422]).toEqual([currency, true]);
      if (!/^[A-Z]{3}$/.test(currency)) expect([currency, status]).toEqual([currency, 422]);
    }
    const { body } = await t.rest<{ id: string; currency: string }>('POST', shop.orders, {
      as: shop.admin,
      body: { market: 'NOWHERE', currency: 'kwd', lines: [{ ...pot, quantity: 1, unitPrice: 1000 }] },
    });
    expect(body.currency).toBe('KWD');
    const { body: page } = await requestPaymentLink(body.id, shop.admin);
    expect((await sandbox.find(sessionOf(page)))?.request).toMatchObject({ currency: 'KWD', amount: 1000 });
  });
});
