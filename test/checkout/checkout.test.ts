/** Checkout from cart to paid order, on the sandbox's page, in both voices. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { SandboxPayments } from '../../src/adapters/payments/sandbox.ts';
import { expireOrders } from '../../src/domains/orders/expiry.ts';
import { newId } from '../../src/lib/ids.ts';
import { now } from '../../src/lib/time.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  addPromo,
  faultsOf,
  quoteOf,
  type SellingShop,
  type SoldProduct,
  sellingShop,
  stockOf,
} from '../support/selling.ts';

let t: TestApp;
let shop: SellingShop;
let other: SellingShop;
let guest: Person;
let pot: SoldProduct;

beforeAll(async () => {
  t = await testApp({ PUBLIC_URL: 'http://pay.test', CARD_PROVIDER_NAME: 'ACME' });
  [shop, other] = [await sellingShop(t), await sellingShop(t)];
  guest = await t.guest();
  pot = await addProduct(t, shop, { price: 1000, stock: 1000, name: 'Pot' });
  await addPromo(t, shop, { code: 'ALL', type: 'PERCENTAGE', bps: 10_000 });
  await addPromo(t, shop, { code: 'HALF', type: 'PERCENTAGE', bps: 5000 });
  await addPromo(t, other, { code: 'FOREIGN', type: 'PERCENTAGE', bps: 5000 });
});

interface Result {
  orderId: string;
  checkoutUrl?: string;
  status?: string;
}

const cart = (more: Record<string, unknown> = {}) => ({
  businessId: shop.businessId,
  market: 'US',
  paymentMethod: 'CREDIT_CARD',
  shippingMethodId: 'standard',
  items: [{ ...pot, quantity: 2 }],
  ...more,
});

const checkOut = (body: Record<string, unknown> = cart(), as: Person | undefined = guest, headers = {}) =>
  t.rest<Result>('POST', `${shop.orders}/checkout`, { as, body, headers });

interface OrderBody {
  version: number;
  total: number;
  statuses: { status: string; changedBy: string }[];
  paymentStatus: { status: string }[];
}

const orderOf = async (id: string, as: Person = shop.admin) =>
  (await t.rest<OrderBody>('GET', `${shop.orders}/${id}`, { as })).body;

const trails = async (id: string) => {
  const { statuses, paymentStatus } = await orderOf(id);
  return [statuses.map(({ status }) => status), paymentStatus.map(({ status }) => status)];
};

const press = async (checkoutUrl: string | undefined, action: string) => {
  const response = await t.app.fetch(
    new Request(checkoutUrl ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `action=${action}`,
    }),
  );
  return { status: response.status, location: response.headers.get('location') };
};

const usesOf = async (code: string) =>
  (
    await t.db.sql<{ uses: number }>('select uses from promo_codes where business_id = $1 and code = $2', [
      shop.businessId,
      code,
    ])
  )[0]?.uses;

const makeDue = (orderId: string) =>
  t.db.sql('update orders set expires_at = $2 where id = $1', [orderId, now() - 1]);

describe('a payable cart', () => {
  it('becomes an order with a payment page; paying moves it and mails its customer', async () => {
    const customer = await t.person({ name: 'Ada' });
    const [{ email } = { email: '' }] = await t.db.sql<{ email: string }>(
      'select email from users where id = $1',
      [customer.userId],
    );
    const before = (await stockOf(t, pot)) ?? 0;
    const blocks = [{ id: 'address', type: 'TEXT', value: { street: 'Main St 1' } }];
    const answer = await checkOut(
      cart({ blocks, returnUrl: 'http://shop.test/done?x=1', total: 1, currency: 'EUR' }),
      customer,
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      orderId: expect.any(String),
      checkoutUrl: expect.stringMatching(/^http:\/\/pay\.test\/sandbox\/pay\/sbx_[\w-]+$/),
    });
    const { orderId, checkoutUrl } = answer.body;
    expect(await stockOf(t, pot)).toBe(before - 2);
    expect(await orderOf(orderId, customer)).toMatchObject({
      customerId: customer.userId,
      currency: 'USD',
      subtotal: 2000,
      tax: 165,
      shipping: 590,
      discount: 0,
      total: 2755,
      shippingMethodId: 'standard',
      blocks,
      statuses: [{ status: 'PENDING', changedBy: 'USER', userId: customer.userId }],
      paymentStatus: [{ status: 'PENDING' }],
    });
    const page = await t.app.fetch(new Request(checkoutUrl ?? ''));
    const text = await page.text();
    expect(text).toContain('Pot, Small');
    expect(text).toContain('$27.55');
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://shop.test http://pay.test",
    );
    expect(await press(checkoutUrl, 'pay')).toEqual({
      status: 303,
      location: `http://shop.test/done?x=1&orderId=${orderId}`,
    });
    expect(await trails(orderId)).toEqual([
      ['PENDING', 'PROCESSING'],
      ['PENDING', 'PAID'],
    ]);
    expect((await orderOf(orderId)).statuses[1]).toMatchObject({ changedBy: 'SYSTEM' });
    const version = (await orderOf(orderId)).version;
    // The page again, the button again, and the job that repeats the event change nothing.
    expect((await press(checkoutUrl, 'pay')).location).toContain('shop.test/done');
    expect(await (await t.app.fetch(new Request(checkoutUrl ?? ''))).text()).toContain('has been paid');
    const mails = await t.outbox(email);
    expect(mails.map(({ subject }) => subject)).toEqual(['Your order at Shop']);
    expect(mails[0]?.text).toContain('Total: $27.55');
    expect((await orderOf(orderId)).version).toBe(version);
  });

  it('can be declined and tried again, and cancelling only goes back', async () => {
    const { body } = await checkOut(cart({ cancelUrl: 'http://shop.test/cart' }));
    expect((await press(body.checkoutUrl, 'decline')).location).toBe(
      new URL(body.checkoutUrl ?? '').pathname,
    );
    expect(await trails(body.orderId)).toEqual([['PENDING'], ['PENDING', 'FAILED']]);
    expect(await (await t.app.fetch(new Request(body.checkoutUrl ?? ''))).text()).toContain('was declined');
    await press(body.checkoutUrl, 'decline');
    expect((await press(body.checkoutUrl, 'cancel')).location).toBe(
      `http://shop.test/cart?orderId=${body.orderId}`,
    );
    expect(await trails(body.orderId)).toEqual([['PENDING'], ['PENDING', 'FAILED']]);
    expect((await press(body.checkoutUrl, 'pay')).location).toBe(
      `http://pay.test/checkout/thanks?orderId=${body.orderId}`,
    );
    expect(await trails(body.orderId)).toEqual([
      ['PENDING', 'PROCESSING'],
      ['PENDING', 'FAILED', 'PAID'],
    ]);
    expect((await press(body.checkoutUrl, 'steal')).status).toBe(400);
    expect((await press('http://pay.test/sandbox/pay/sbx_unknown', 'pay')).status).toBe(404);
    const thanks = await t.app.fetch(new Request('http://pay.test/checkout/thanks?orderId=%3Cscript%3E'));
    expect(await thanks.text()).toContain('Order &lt;script&gt;');
  });

  it('accepts the provider under each of its names, quotes, and lines for items', async () => {
    for (const paymentMethod of ['CREDIT_CARD', 'CARD_PROVIDER', 'ACME', null]) {
      expect((await checkOut(cart({ paymentMethod }))).status).toBe(200);
    }
    expect(faultsOf((await checkOut(cart({ paymentMethod: 'STRIPE' }))).body)).toEqual([
      'paymentMethod INVALID_VALUE',
    ]);
    const { items, ...rest } = cart() as Record<string, unknown>;
    expect((await checkOut({ ...rest, lines: items })).status).toBe(200);
    const viaGraphql = await t.graphql(
      'mutation ($b: ID!, $input: CheckoutInput!) { checkout(businessId: $b, input: $input) { orderId checkoutUrl status } }',
      { b: shop.businessId, input: { market: 'us', shippingMethodId: 'standard', items } },
      { as: guest },
    );
    expect(viaGraphql.data).toEqual({
      checkout: {
        orderId: expect.any(String),
        checkoutUrl: expect.stringContaining('/sandbox/pay/'),
        status: null,
      },
    });
  });
});

describe('a free cart', () => {
  it('is complete at once', async () => {
    const customer = await t.person();
    const free = await addProduct(t, shop, { price: 0, stock: 1 });
    const answer = await checkOut(
      cart({ items: [{ ...free, quantity: 1 }], promoCode: 'all', shippingMethodId: 'standard' }),
      customer,
    );
    expect(answer.body).toEqual({ orderId: expect.any(String), checkoutUrl: expect.any(String) });
    await addPromo(t, shop, { code: 'SHIPIT', type: 'FREE_SHIPPING' });
    const second = await addProduct(t, shop, { price: 0, stock: 1 });
    const body = cart({ items: [{ ...second, quantity: 1 }], promoCode: 'shipit' });
    const headers = { 'idempotency-key': newId() };
    const done = await checkOut(body, customer, headers);
    expect(done.body).toEqual({ orderId: expect.any(String), status: 'COMPLETED' });
    expect((await checkOut(body, customer, headers)).body).toEqual(done.body);
    expect(await trails(done.body.orderId)).toEqual([['PROCESSING'], ['PAID']]);
    expect(await stockOf(t, second)).toBe(0);
  });
});

describe('refusals', () => {
  it('needs a token, and a business', async () => {
    expect((await t.rest('POST', `${shop.orders}/checkout`, { body: cart() })).status).toBe(401);
    expect(
      (await t.rest('POST', `/v1/businesses/${newId()}/orders/checkout`, { as: guest, body: cart() })).status,
    ).toBe(404);
  });

  it.each([
    ['a foreign origin', { returnUrl: 'https://evil.example/x' }, ['returnUrl INVALID_RETURN_URL']],
    [
      'a script',
      { returnUrl: 'javascript:alert(1)', cancelUrl: 'data:text/html,x' },
      ['returnUrl INVALID_RETURN_URL', 'cancelUrl INVALID_RETURN_URL'],
    ],
    [
      'an origin that only looks right',
      { returnUrl: 'http://shop.test.evil.example' },
      ['returnUrl INVALID_RETURN_URL'],
    ],
    ['an address with a password', { returnUrl: 'http://a:b@shop.test/' }, ['returnUrl INVALID_RETURN_URL']],
    ['a relative address', { cancelUrl: '/cart' }, ['cancelUrl INVALID_RETURN_URL']],
    ['no shipping method', { shippingMethodId: null }, ['shippingMethodId SHIPPING_METHOD_REQUIRED']],
    ['an unknown market', { market: 'MARS' }, ['market MARKET_NOT_FOUND']],
    ['a promo code of another business', { promoCode: 'FOREIGN' }, ['promoCode PROMO_CODE_INVALID']],
    ['no items', { items: [] }, ['items TOO_SHORT']],
    ['missing items', { items: undefined }, ['items REQUIRED']],
    ['a forged quote', { quote: 'abc.def' }, ['quote QUOTE_INVALID']],
    [
      'blocks of the wrong type',
      { blocks: [{ id: 'x', type: 'BOOLEAN', value: 'yes' }] },
      ['blocks.0.value INVALID_TYPE'],
    ],
  ])('%s', async (_name, more, expected) => {
    const before = await stockOf(t, pot);
    const answer = await checkOut(cart(more));
    expect([answer.status, faultsOf(answer.body)]).toEqual([422, expected]);
    expect(await stockOf(t, pot)).toBe(before);
  });

  it('names the lines that stock does not cover', async () => {
    const rare = await addProduct(t, shop, { stock: 3 });
    const items = [pot, rare, rare].map((sold) => ({ ...sold, quantity: 2 }));
    const answer = await checkOut(cart({ items }));
    expect([answer.status, faultsOf(answer.body)]).toEqual([
      422,
      ['items.1 OUT_OF_STOCK', 'items.2 OUT_OF_STOCK'],
    ]);
    expect(await stockOf(t, rare)).toBe(3);
    const once = cart({ items: [1, 2].map((quantity) => ({ ...rare, quantity })) });
    expect((await checkOut(once)).status).toBe(200);
    expect(await stockOf(t, rare)).toBe(0);
  });
});

describe('the price lock', () => {
  it('is honoured after prices, tax and shipping have changed', async () => {
    const cup = await addProduct(t, shop, { price: 500, stock: 10 });
    const lines = [{ ...cup, quantity: 2 }];
    const quote = await quoteOf<{ id: string; total: number }>(t, guest, {
      businessId: shop.businessId,
      market: 'US',
      lines,
      shippingMethodId: 'standard',
      promoCode: 'HALF',
    });
    await t.db.sql(
      `update products set document = jsonb_set(document, '{variants,0,pricing,markets,0,price}', '999999') where id = $1`,
      [cup.productId],
    );
    const uses = (await usesOf('HALF')) ?? 0;
    for (const name of ['quote', 'quoteId']) {
      const { body } = await checkOut({ market: 'US', items: lines, [name]: quote.body.id });
      expect(await orderOf(body.orderId)).toMatchObject({
        total: quote.body.total,
        discount: 500,
        promoCode: 'HALF',
        shippingMethodId: 'standard',
      });
    }
    expect(await usesOf('HALF')).toBe(uses + 2);
    const mismatch = await checkOut(cart({ items: [{ ...cup, quantity: 3 }], quote: quote.body.id }));
    expect(faultsOf(mismatch.body)).toEqual(['quote QUOTE_MISMATCH']);
    const promo = await addPromo(t, shop, { code: 'GONE', type: 'PERCENTAGE', bps: 5000 });
    const request = { businessId: shop.businessId, market: 'US', lines, shippingMethodId: 'standard' };
    const gone = await quoteOf<{ id: string }>(t, guest, { ...request, promoCode: 'GONE' });
    await t.db.sql('delete from promo_codes where id = $1', [promo]);
    expect(faultsOf((await checkOut({ market: 'US', items: lines, quote: gone.body.id })).body)).toEqual([
      'promoCode PROMO_CODE_INVALID',
    ]);
    await t.rest('DELETE', `/v1/businesses/${shop.businessId}/products/${cup.productId}`, { as: shop.admin });
    expect(faultsOf((await checkOut({ market: 'US', items: lines, quote: quote.body.id })).body)).toEqual([
      'items.0.productId PRODUCT_NOT_FOUND',
    ]);
  });
});

describe('retries', () => {
  it('make one order under one key, and heal a checkout whose process died', async () => {
    const headers = { 'idempotency-key': newId() };
    const before = (await stockOf(t, pot)) ?? 0;
    const first = await checkOut(cart(), guest, headers);
    // As if the process had died after the commit and before the page.
    await t.db.sql('update orders set payment_session_id = null, payment_url = null where id = $1', [
      first.body.orderId,
    ]);
    await t.db.sql('delete from sandbox_payments where reference = $1', [`order:${first.body.orderId}`]);
    const again = await checkOut(cart(), guest, headers);
    expect(again.body.orderId).toBe(first.body.orderId);
    expect((await press(again.body.checkoutUrl, 'pay')).status).toBe(303);
    expect(await checkOut(cart(), guest, headers)).toMatchObject({ status: 200, body: again.body });
    expect(await stockOf(t, pot)).toBe(before - 2);
    expect((await checkOut(cart({ items: [{ ...pot, quantity: 1 }] }), guest, headers)).status).toBe(409);
  });

  it('begin anew after the provider has failed: nothing was ordered', async () => {
    const { payments } = t.app.services as { payments: { createSession: SandboxPayments['createSession'] } };
    const { createSession } = payments;
    const headers = { 'idempotency-key': newId() };
    const [stock, uses] = [await stockOf(t, pot), await usesOf('HALF')];
    payments.createSession = () => Promise.reject(new Error('connect ECONNREFUSED secret-host'));
    const failed = await checkOut(cart({ promoCode: 'HALF' }), guest, headers);
    payments.createSession = createSession;
    expect(failed.status).toBe(503);
    expect(failed.headers.get('retry-after')).toBe('5');
    expect(JSON.stringify(failed.body)).not.toContain('secret-host');
    expect([await stockOf(t, pot), await usesOf('HALF')]).toEqual([stock, uses]);
    const list = await t.rest<{ items: OrderBody[] }>('GET', `${shop.orders}?limit=1`, { as: guest });
    expect(list.body.items[0]).toMatchObject({
      statuses: [{ status: 'PENDING' }, { status: 'CANCELLED', changedBy: 'SYSTEM' }],
      paymentStatus: [{ status: 'PENDING' }, { status: 'FAILED' }],
    });
    expect((await checkOut(cart({ promoCode: 'HALF' }), guest, headers)).status).toBe(200);
  });
});

describe('expiry', () => {
  it('cancels what nobody paid, once, and refunds money that comes too late', async () => {
    const rare = await addProduct(t, shop, { stock: 5 });
    const uses = await usesOf('HALF');
    const { body } = await checkOut(cart({ items: [{ ...rare, quantity: 5 }], promoCode: 'HALF' }));
    const { services } = t.app;
    await expireOrders(services);
    expect((await trails(body.orderId))[0]).toEqual(['PENDING']);
    await makeDue(body.orderId);
    const sandbox = services.payments as SandboxPayments;
    const sessionId = body.checkoutUrl?.split('/').at(-1) ?? '';
    const late = await sandbox.act(sessionId, 'pay');
    const counts = await Promise.all([expireOrders(services), expireOrders(services)]);
    expect(counts[0] + counts[1]).toBe(1);
    expect(await trails(body.orderId)).toEqual([
      ['PENDING', 'CANCELLED'],
      ['PENDING', 'FAILED'],
    ]);
    expect([await stockOf(t, rare), await usesOf('HALF')]).toEqual([5, uses]);
    expect(late).toBeDefined();
    await t.app.drainJobs();
    expect(await trails(body.orderId)).toEqual([
      ['PENDING', 'CANCELLED'],
      ['PENDING', 'FAILED', 'PAID', 'REFUNDED'],
    ]);
    expect([await stockOf(t, rare), await usesOf('HALF')]).toEqual([5, uses]);
    const order = await t.graphql(
      'query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { captured refunded refunds { amount status reason } } }',
      { b: shop.businessId, id: body.orderId },
      { as: shop.admin },
    );
    const { total } = await orderOf(body.orderId);
    expect(order.data).toEqual({
      order: {
        captured: total,
        refunded: total,
        refunds: [{ amount: total, status: 'SUCCEEDED', reason: 'Paid too late' }],
      },
    });
  });

  it('closes the payment page, as cancelling by staff does', async () => {
    const [expired, cancelled] = [(await checkOut()).body, (await checkOut()).body];
    await makeDue(expired.orderId);
    await expireOrders(t.app.services);
    await t.rest('PUT', `${shop.orders}/${cancelled.orderId}/status`, {
      as: shop.admin,
      body: { status: 'CANCELLED' },
    });
    expect((await trails(cancelled.orderId))[1]).toEqual(['PENDING', 'FAILED']);
    await t.app.drainJobs();
    for (const { checkoutUrl, orderId } of [expired, cancelled]) {
      expect(await press(checkoutUrl, 'pay')).toEqual({
        status: 303,
        location: new URL(checkoutUrl ?? '').pathname,
      });
      expect(await (await t.app.fetch(new Request(checkoutUrl ?? ''))).text()).toContain('has expired');
      expect((await trails(orderId))[0]).toEqual(['PENDING', 'CANCELLED']);
    }
  });

  it('leaves orders alone that staff have recorded as paid', async () => {
    const { body } = await checkOut();
    await t.rest('PUT', `${shop.orders}/${body.orderId}/payment-status`, {
      as: shop.admin,
      body: { status: 'PAID' },
    });
    await makeDue(body.orderId);
    await expireOrders(t.app.services);
    expect(await trails(body.orderId)).toEqual([['PENDING'], ['PENDING', 'PAID']]);
  });

  it('leaves manual orders alone', async () => {
    const { body } = await t.rest<{ id: string }>('POST', shop.orders, {
      as: shop.admin,
      body: { market: 'US', lines: [{ ...pot, quantity: 1 }] },
    });
    await t.db.sql('update orders set created_at = 0 where id = $1', [body.id]);
    await expireOrders(t.app.services);
    expect((await trails(body.id))[0]).toEqual(['PENDING']);
  });
});

describe('low stock', () => {
  it('is reported once when the level is crossed, and listed for staff', async () => {
    const quiet = await sellingShop(t);
    const [{ email } = { email: '' }] = await t.db.sql<{ email: string }>(
      'select email from users where id = $1',
      [quiet.admin.userId],
    );
    const rare = await addProduct(t, quiet, { stock: 5, low: 2, name: 'Rare' });
    await addProduct(t, quiet, { stock: 5, low: 2, name: 'Plenty' });
    const buy = () =>
      t.rest('POST', `${quiet.orders}/checkout`, {
        as: guest,
        body: cart({ items: [{ ...rare, quantity: 1 }] }),
      });
    const low = async (as: Person) =>
      t.rest<{ items: { name: string }[] }>(
        'GET',
        `/v1/businesses/${quiet.businessId}/products?lowStock=true`,
        { as },
      );
    await buy();
    await buy();
    expect(await t.outbox(email)).toEqual([]);
    expect((await low(quiet.admin)).body.items).toEqual([]);
    await buy();
    await buy();
    expect((await t.outbox(email)).map(({ subject, text }) => [subject, text])).toEqual([
      ['Stock is running low', 'Rare, Small: 2 left\n'],
    ]);
    expect((await low(quiet.admin)).body.items.map(({ name }) => name)).toEqual(['Rare']);
    expect((await low(guest)).status).toBe(403);
    expect((await low(shop.admin)).status).toBe(403);
  });
});
