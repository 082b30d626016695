/** Checkout from cart to paid order on the sandbox payment page, in REST and GraphQL. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { addProduct, addPromoCode, detailErrors, loadStock } from '../support/shop-fixtures.ts';
import {
  cartInput,
  fetchOrder,
  guest,
  postCheckout,
  pot,
  shop,
  statusTrails,
  submitPaymentPage,
  t,
} from './setup.ts';

describe('a cart with a total above 0', () => {
  it('becomes an order with a payment page; payment changes its statuses and mails the customer', async () => {
    const customer = await t.person({ name: 'Ada' });
    const [{ email } = { email: '' }] = await t.db.sql<{ email: string }>(
      'select email from users where id = $1',
      [customer.userId],
    );
    const before = (await loadStock(t, pot)) ?? 0;
    const blocks = [{ id: 'address', type: 'TEXT', value: { street: 'Main St 1' } }];
    const answer = await postCheckout(
      cartInput({ blocks, returnUrl: 'http://shop.test/done?x=1', total: 1, currency: 'EUR' }),
      customer,
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      orderId: expect.any(String),
      checkoutUrl: expect.stringMatching(/^http:\/\/pay\.test\/sandbox\/pay\/sbx_[\w-]+$/),
    });
    const { orderId, checkoutUrl } = answer.body;
    expect(await loadStock(t, pot)).toBe(before - 2);
    expect(await fetchOrder(orderId, customer)).toMatchObject({
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
    expect(await submitPaymentPage(checkoutUrl, 'pay')).toEqual({
      status: 303,
      location: `http://shop.test/done?x=1&orderId=${orderId}`,
    });
    expect(await statusTrails(orderId)).toEqual([
      ['PENDING', 'PROCESSING'],
      ['PENDING', 'PAID'],
    ]);
    expect((await fetchOrder(orderId)).statuses[1]).toMatchObject({ changedBy: 'SYSTEM' });
    const version = (await fetchOrder(orderId)).version;
    // Repeated page views, submissions and event deliveries change nothing.
    expect((await submitPaymentPage(checkoutUrl, 'pay')).location).toContain('shop.test/done');
    expect(await (await t.app.fetch(new Request(checkoutUrl ?? ''))).text()).toContain('has been paid');
    const mails = await t.outbox(email);
    const { number } = await fetchOrder(orderId);
    expect(mails.map(({ subject }) => subject)).toEqual([`Your order ${number} at Shop`]);
    expect(mails[0]?.text).toContain('Total: $27.55');
    expect((await fetchOrder(orderId)).version).toBe(version);
  });

  it('can be paid after a declined payment; cancelling the page only redirects', async () => {
    const { body } = await postCheckout(cartInput({ cancelUrl: 'http://shop.test/cart' }));
    expect((await submitPaymentPage(body.checkoutUrl, 'decline')).location).toBe(
      new URL(body.checkoutUrl ?? '').pathname,
    );
    expect(await statusTrails(body.orderId)).toEqual([['PENDING'], ['PENDING', 'FAILED']]);
    expect(await (await t.app.fetch(new Request(body.checkoutUrl ?? ''))).text()).toContain('was declined');
    await submitPaymentPage(body.checkoutUrl, 'decline');
    expect((await submitPaymentPage(body.checkoutUrl, 'cancel')).location).toBe(
      `http://shop.test/cart?orderId=${body.orderId}`,
    );
    expect(await statusTrails(body.orderId)).toEqual([['PENDING'], ['PENDING', 'FAILED']]);
    expect((await submitPaymentPage(body.checkoutUrl, 'pay')).location).toBe(
      `http://pay.test/checkout/thanks?orderId=${body.orderId}`,
    );
    expect(await statusTrails(body.orderId)).toEqual([
      ['PENDING', 'PROCESSING'],
      ['PENDING', 'FAILED', 'PAID'],
    ]);
    expect((await submitPaymentPage(body.checkoutUrl, 'steal')).status).toBe(400);
    expect((await submitPaymentPage('http://pay.test/sandbox/pay/sbx_unknown', 'pay')).status).toBe(404);
  });

  it('ends on a page with the status of the order, or 404 for an unknown id', async () => {
    const fetchPage = async (query: string, accept = 'text/html') => {
      const request = new Request(`http://pay.test/checkout/thanks${query}`, { headers: { accept } });
      const response = await t.app.fetch(request);
      const [, title] = /<h1>([^<]*)/.exec(await response.text()) ?? [];
      return [response.status, title];
    };
    const { body } = await postCheckout();
    const own = `?orderId=${body.orderId}`;
    expect(await fetchPage(own)).toEqual([200, 'Your order is awaiting payment']);
    await submitPaymentPage(body.checkoutUrl, 'decline');
    expect(await fetchPage(own)).toEqual([200, 'The payment failed']);
    await submitPaymentPage(body.checkoutUrl, 'pay');
    expect(await fetchPage(own)).toEqual([200, 'Thank you for your order']);
    const cancel = { as: shop.admin, body: { status: 'CANCELLED' } };
    await t.rest('PUT', `/v1/businesses/${shop.businessId}/orders/${body.orderId}/status`, cancel);
    await t.app.drainJobs();
    expect(await fetchPage(own)).toEqual([
      200,
      expect.stringMatching(/^Your order was (cancelled|refunded)$/),
    ]);
    for (const invalid of ['%3Cscript%3E', shop.businessId, '', '%00'])
      for (const name of ['orderId', 'subscriptionId', 'x'])
        expect(await fetchPage(`?${name}=${invalid}`)).toEqual([404, 'Page not found']);
    expect(await fetchPage('')).toEqual([404, 'Page not found']);
    expect(await fetchPage('?orderId=x', 'application/json')).toEqual([404, undefined]);
  });

  it('accepts the payment provider under each of its names, and `lines` for `items`', async () => {
    for (const paymentMethod of ['CREDIT_CARD', 'CARD_PROVIDER', 'ACME', null]) {
      expect((await postCheckout(cartInput({ paymentMethod }))).status).toBe(200);
    }
    expect(detailErrors((await postCheckout(cartInput({ paymentMethod: 'STRIPE' }))).body)).toEqual([
      'paymentMethod INVALID_VALUE',
    ]);
    const { items, ...rest } = cartInput() as Record<string, unknown>;
    expect((await postCheckout({ ...rest, lines: items })).status).toBe(200);
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

describe('a cart with a total of 0', () => {
  it('is completed without a payment page', async () => {
    const customer = await t.person();
    const free = await addProduct(t, shop, { price: 0, stock: 1 });
    const answer = await postCheckout(
      cartInput({ items: [{ ...free, quantity: 1 }], promoCode: 'all', shippingMethodId: 'standard' }),
      customer,
    );
    expect(answer.body).toEqual({
      orderId: expect.any(String),
      checkoutUrl: expect.any(String),
    });
    await addPromoCode(t, shop, { code: 'SHIPIT', type: 'FREE_SHIPPING' });
    const second = await addProduct(t, shop, { price: 0, stock: 1 });
    const body = cartInput({ items: [{ ...second, quantity: 1 }], promoCode: 'shipit' });
    const headers = { 'idempotency-key': newId() };
    const done = await postCheckout(body, customer, headers);
    expect(done.body).toEqual({
      orderId: expect.any(String),
      status: 'COMPLETED',
    });
    expect((await postCheckout(body, customer, headers)).body).toEqual(done.body);
    expect(await statusTrails(done.body.orderId)).toEqual([['PROCESSING'], ['PAID']]);
    expect(await loadStock(t, second)).toBe(0);
  });
});

describe('checkout rejects', () => {
  it('requests without a token, or for an unknown business', async () => {
    expect((await t.rest('POST', `${shop.orders}/checkout`, { body: cartInput() })).status).toBe(401);
    expect(
      (await t.rest('POST', `/v1/businesses/${newId()}/orders/checkout`, { as: guest, body: cartInput() }))
        .status,
    ).toBe(404);
  });

  it.each([
    ['a foreign origin', { returnUrl: 'https://evil.example/x' }, ['returnUrl INVALID_RETURN_URL']],
    [
      'a script URL',
      { returnUrl: 'javascript:alert(1)', cancelUrl: 'data:text/html,x' },
      ['returnUrl INVALID_RETURN_URL', 'cancelUrl INVALID_RETURN_URL'],
    ],
    [
      'an origin with an allowed prefix',
      { returnUrl: 'http://shop.test.evil.example' },
      ['returnUrl INVALID_RETURN_URL'],
    ],
    ['a URL with credentials', { returnUrl: 'http://a:b@shop.test/' }, ['returnUrl INVALID_RETURN_URL']],
    ['a relative URL', { cancelUrl: '/cart' }, ['cancelUrl INVALID_RETURN_URL']],
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
    const before = await loadStock(t, pot);
    const answer = await postCheckout(cartInput(more));
    expect([answer.status, detailErrors(answer.body)]).toEqual([422, expected]);
    expect(await loadStock(t, pot)).toBe(before);
  });

  it('lines that are out of stock, naming each', async () => {
    const rare = await addProduct(t, shop, { stock: 3 });
    const items = [pot, rare, rare].map((sold) => ({ ...sold, quantity: 2 }));
    const answer = await postCheckout(cartInput({ items }));
    expect([answer.status, detailErrors(answer.body)]).toEqual([
      422,
      ['items.1 OUT_OF_STOCK', 'items.2 OUT_OF_STOCK'],
    ]);
    expect(await loadStock(t, rare)).toBe(3);
    const once = cartInput({ items: [1, 2].map((quantity) => ({ ...rare, quantity })) });
    expect((await postCheckout(once)).status).toBe(200);
    expect(await loadStock(t, rare)).toBe(0);
  });
});

describe('payment method FREE', () => {
  it('is accepted for a total of 0', async () => {
    const gift = await addProduct(t, shop, { price: 0, stock: 1 });
    await addPromoCode(t, shop, { code: 'GRATIS', type: 'FREE_SHIPPING' });
    const items = [{ ...gift, quantity: 1 }];
    const answer = await postCheckout(cartInput({ paymentMethod: 'FREE', promoCode: 'GRATIS', items }));
    expect([answer.status, answer.body]).toEqual([200, { orderId: expect.any(String), status: 'COMPLETED' }]);
    expect(await fetchOrder(answer.body.orderId)).toMatchObject({ total: 0, paymentMethod: 'FREE' });
  });

  it('is rejected for a total above 0, without taking stock', async () => {
    const before = await loadStock(t, pot);
    const answer = await postCheckout(cartInput({ paymentMethod: 'FREE' }));
    expect([answer.status, detailErrors(answer.body)]).toEqual([422, ['paymentMethod INVALID_VALUE']]);
    expect(await loadStock(t, pot)).toBe(before);
  });
});

describe('blocks without a type', () => {
  it('get their type from their value, in checkout and in manual orders', async () => {
    const inputBlocks = [
      { key: 'note', value: ['Ring twice'] },
      { key: 'floor', value: [3] },
      { key: 'gift', value: [true] },
      { key: 'address', value: [{ street: 'Main St 1' }] },
      { key: 'days', value: ['MON', 'TUE'] },
      { key: 'nothing', value: [] },
    ];
    const storedBlocks = [
      { id: 'note', type: 'TEXT', value: 'Ring twice' },
      { id: 'floor', type: 'NUMBER', value: 3 },
      { id: 'gift', type: 'BOOLEAN', value: true },
      { id: 'address', type: 'TEXT', value: { street: 'Main St 1' } },
      { id: 'days', type: 'MULTI_SELECT', value: ['MON', 'TUE'] },
      { id: 'nothing', type: 'TEXT' },
    ];
    const answer = await postCheckout(cartInput({ blocks: inputBlocks }));
    expect(answer.status).toBe(200);
    expect(await fetchOrder(answer.body.orderId)).toMatchObject({ blocks: storedBlocks });
    const manual = await t.rest('POST', shop.orders, {
      as: shop.admin,
      body: {
        market: 'US',
        currency: 'USD',
        lines: [{ ...pot, quantity: 1, price: 1000 }],
        blocks: inputBlocks,
      },
    });
    expect([manual.status, manual.body]).toMatchObject([200, { blocks: storedBlocks }]);
  });

  it('require an id and a type when they have no key', async () => {
    const answer = await postCheckout(cartInput({ blocks: [{ value: ['x'] }] }));
    expect([answer.status, detailErrors(answer.body)]).toEqual([
      422,
      ['blocks.0.id REQUIRED', 'blocks.0.type REQUIRED'],
    ]);
  });
});

it('accepts `lines` or `items`, and reports errors under the field that was sent', async () => {
  const mutation =
    'mutation ($b: ID!, $input: CheckoutInput!) { checkout(businessId: $b, input: $input) { orderId } }';
  const buy = async (input: object) => {
    const terms = { market: 'US', shippingMethodId: 'standard' };
    const variables = { b: shop.businessId, input: { ...terms, ...input } };
    const { data, errors } = await t.graphql(mutation, variables, { as: guest });
    const details = errors[0]?.extensions.details as { field: string; error: string }[] | undefined;
    return details?.map(({ field, error }) => `${field} ${error}`) ?? data;
  };
  const [validLines, tooMany] = [[{ ...pot, quantity: 1 }], [{ ...pot, quantity: 999_999 }]];
  const ordered = { checkout: { orderId: expect.any(String) } };
  expect(await buy({ lines: validLines })).toEqual(ordered);
  expect(await buy({ items: validLines })).toEqual(ordered);
  expect(await buy({ lines: validLines, items: validLines })).toEqual(['lines INVALID_VALUE']);
  expect(await buy({})).toEqual(['lines REQUIRED']);
  expect(await buy({ lines: null, items: null })).toEqual(['lines REQUIRED']);
  const { items: _items, ...withoutLines } = cartInput() as Record<string, unknown>;
  expect(detailErrors((await postCheckout(withoutLines)).body)).toEqual(['items REQUIRED']);
  expect(await buy({ lines: [] })).toEqual([expect.stringMatching(/^lines /)]);
  expect(await buy({ lines: tooMany })).toEqual([expect.stringMatching(/^lines\.0/)]);
  expect(await buy({ items: tooMany })).toEqual([expect.stringMatching(/^items\.0/)]);
});
