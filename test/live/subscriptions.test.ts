/** Live orders and stock: who may watch, what they see, and when it ends. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { defaultLiveOptions } from '../../src/live/live.ts';
import { account } from '../support/accounts.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { codesOf, type Stream, subscribed, told } from '../support/live.ts';
import { emptyOrder } from '../support/orders.ts';
import { addProduct, type SellingShop, type SoldProduct, sellingShop } from '../support/selling.ts';

let t: TestApp;
let shop: SellingShop;
let other: SellingShop;
let customer: Person;
let pot: SoldProduct;

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' }, { ...defaultLiveOptions, paceMs: 20, recheckMs: 400 });
  [shop, other] = [await sellingShop(t), await sellingShop(t)];
  customer = await t.person({ name: 'Ada', email: 'ada@people.example' });
  pot = await addProduct(t, shop, { price: 1000, stock: 1000, low: 990, name: 'Pot' });
});

const streams: Stream[] = [];
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(streams.splice(0).map((stream) => stream.close()));
  await expect.poll(() => t.app.services.live.state.watching).toBe(0);
});

const open = async (...args: Parameters<typeof subscribed>) => {
  const stream = await subscribed(...args);
  streams.push(stream);
  return stream;
};

const within = { timeout: 10_000, interval: 10 };
const orderDocument = `subscription ($b: ID!, $id: ID) { orderChanged(businessId: $b, id: $id) { id status version } }`;
const stockDocument = `subscription ($b: ID!, $id: ID) { stockChanged(businessId: $b, productId: $id) {
  productId variantId sku inventory { tracked quantity lowStockThreshold isLow } } }`;

const watchOrder = (id: string | null, as: Person | undefined, b = shop.businessId) =>
  open(t, orderDocument, { b, id }, { as });
const watchStock = (id: string | null, as: Person | undefined, b = shop.businessId) =>
  open(t, stockDocument, { b, id }, { as });

const setStatus = async (id: string, status: string, at: SellingShop = shop) => {
  const answer = await t.rest('PUT', `${at.orders}/${id}/status`, { as: at.admin, body: { status } });
  expect(answer.status).toBe(200);
};

const setStock = async (
  { productId, variantId }: SoldProduct,
  quantity: number,
  at: SellingShop = shop,
  inventory: Record<string, unknown> = { lowStockThreshold: 990 },
) => {
  const answer = await t.rest('PUT', `/v1/businesses/${at.businessId}/products/${productId}`, {
    as: at.admin,
    body: {
      variants: [
        {
          id: variantId,
          name: 'Small',
          pricing: { markets: [{ marketId: 'us', currency: 'USD', price: 1000 }] },
          inventory: { tracked: true, quantity, ...inventory },
        },
      ],
    },
  });
  expect(answer.status).toBe(200);
};

const checkOut = (lines: { productId: string; variantId: string; quantity: number }[], as: Person) =>
  t.rest<{ orderId: string }>('POST', `${shop.orders}/checkout`, {
    as,
    body: { market: 'US', paymentMethod: 'CREDIT_CARD', shippingMethodId: 'standard', items: lines },
  });

const statusesOf = (stream: Stream) =>
  told(stream, ({ orderChanged }: { orderChanged?: { status: string } }) => orderChanged?.status);
const quantitiesOf = ({ received }: Stream) =>
  received.map(
    ({ data }) => (data?.stockChanged as { inventory: { quantity: number } } | undefined)?.inventory.quantity,
  );

describe('who may not watch', () => {
  let id: string;
  beforeAll(async () => {
    id = await emptyOrder(t, shop, customer);
  });

  const ended = async (stream: Stream) => {
    await expect.poll(() => stream.ended, within).toBe('complete');
    return stream.received;
  };

  it.each([
    ['nobody, one order', async () => watchOrder(id, undefined), 'UNAUTHENTICATED'],
    ['nobody, all orders', async () => watchOrder(null, undefined), 'UNAUTHENTICATED'],
    ['nobody, stock', async () => watchStock(null, undefined), 'UNAUTHENTICATED'],
    ['a forged token', async () => watchOrder(id, { userId: '', token: 'a.b.c' }), 'UNAUTHENTICATED'],
    ['a guest, somebody’s order', async () => watchOrder(id, await t.guest()), 'NOT_FOUND'],
    ['a guest, all orders', async () => watchOrder(null, await t.guest()), 'FORBIDDEN'],
    ['another customer, the order', async () => watchOrder(id, await t.person()), 'NOT_FOUND'],
    ['the customer, all orders', async () => watchOrder(null, customer), 'FORBIDDEN'],
    [
      'an editor, all orders',
      async () => watchOrder(null, await t.hire(shop, await t.person(), 'EDITOR')),
      'FORBIDDEN',
    ],
    ['staff of another business, the order', async () => watchOrder(id, other.admin), 'NOT_FOUND'],
    [
      'staff of another business, the order as their own',
      async () => watchOrder(id, other.admin, other.businessId),
      'NOT_FOUND',
    ],
    ['staff of another business, all orders', async () => watchOrder(null, other.admin), 'FORBIDDEN'],
    ['staff, an order that does not exist', async () => watchOrder(newId(), shop.admin), 'NOT_FOUND'],
    ['staff, an id that is none', async () => watchOrder('none', shop.admin), 'NOT_FOUND'],
    ['a guest, a product that does not exist', async () => watchStock('none', await t.guest()), 'NOT_FOUND'],
    [
      'a guest, a product of another business',
      async () => watchStock(pot.productId, await t.guest(), other.businessId),
      'NOT_FOUND',
    ],
    [
      'a guest, a draft',
      async () => {
        const { productId } = await addProduct(t, shop, { status: 'DRAFT' });
        return watchStock(productId, await t.guest());
      },
      'NOT_FOUND',
    ],
  ])('%s', async (_who, subscribe, code) => {
    const stream = await subscribe();
    expect(await ended(stream)).toEqual([
      {
        errors: [
          {
            message: expect.any(String),
            locations: expect.any(Array),
            path: [expect.stringMatching(/^(order|stock)Changed$/)],
            extensions: { code, details: [] },
          },
        ],
      },
    ]);
    expect(stream.status).toBe(200);
  });

  it('sees nothing of another business, whatever happens there', async () => {
    const mine = await watchOrder(null, other.admin, other.businessId);
    const stock = await watchStock(null, other.admin, other.businessId);
    const theirs = await emptyOrder(t, shop, customer);
    await setStatus(theirs, 'PROCESSING');
    await setStock(pot, 995);
    const foreignPot = await addProduct(t, other, { stock: 5 });
    const own = await emptyOrder(t, other, customer);
    await setStock(foreignPot, 4, other);
    await expect
      .poll(() => mine.received, within)
      .toEqual([{ data: { orderChanged: { id: own, status: 'PENDING', version: 1 } } }]);
    await expect.poll(() => quantitiesOf(stock), within).toEqual([4]);
  });

  it('sees drafts only with PRODUCTS_WRITE, also when all stock is watched', async () => {
    const draft = await addProduct(t, shop, { stock: 5, status: 'DRAFT' });
    const [asGuest, asStaff] = [await watchStock(null, await t.guest()), await watchStock(null, shop.admin)];
    await setStock(draft, 4);
    await expect.poll(() => quantitiesOf(asStaff), within).toEqual([4]);
    await setStock(pot, 994);
    await expect.poll(() => quantitiesOf(asGuest), within).toEqual([994]);
  });
});

describe('who may not watch any longer', () => {
  const ended = async (stream: Stream, code: string) => {
    await expect.poll(() => stream.ended, within).toBe('complete');
    expect(codesOf(stream)).toEqual([code]);
  };

  it('hears no more after signing out', async () => {
    const buyer = await account(t);
    const id = await emptyOrder(t, shop, buyer);
    const stream = await watchOrder(id, buyer);
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    expect((await t.rest('POST', '/v1/users/logout', { as: buyer, body: {} })).status).toBe(200);
    await setStatus(id, 'PROCESSING');
    await ended(stream, 'UNAUTHENTICATED');
    expect(JSON.stringify(stream.received)).not.toContain('PROCESSING');
  });

  it('hears no more as a guest whose session has ended', async () => {
    const { body } = await t.rest<{ accessToken: string; userId: string }>('POST', '/v1/users/login', {
      body: { provider: 'GUEST' },
    });
    const guest = { userId: body.userId, token: body.accessToken };
    const id = await emptyOrder(t, shop, guest);
    const stream = await watchOrder(id, guest);
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    await t.rest('POST', '/v1/users/logout', { as: guest, body: {} });
    await setStatus(id, 'PROCESSING');
    await ended(stream, 'UNAUTHENTICATED');
  });

  it('hears no more once the token has expired', async () => {
    const id = await emptyOrder(t, shop, customer);
    const stream = await watchOrder(id, customer);
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3601 * 1000 });
    await ended(stream, 'UNAUTHENTICATED');
  });

  it('hears no more with an API key that was revoked', async () => {
    const key = await t.withApiKey(shop.admin);
    const stream = await watchOrder(null, key);
    const id = await emptyOrder(t, shop, customer);
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    await t.db.sql('delete from api_tokens where user_id = $1', [shop.admin.userId]);
    await setStatus(id, 'PROCESSING');
    await ended(stream, 'UNAUTHENTICATED');
  });

  it('hears no more without the role, of one order or of all, of stock or of drafts', async () => {
    const manager = await t.hire(shop, await t.person(), 'MANAGER');
    const id = await emptyOrder(t, shop, customer);
    const draft = await addProduct(t, shop, { stock: 5, status: 'DRAFT' });
    const [all, one, stock] = [
      await watchOrder(null, manager),
      await watchOrder(id, manager),
      await watchStock(draft.productId, manager),
    ];
    await setStatus(id, 'PROCESSING');
    await expect.poll(() => statusesOf(all), within).toEqual(['PROCESSING']);
    await expect.poll(() => statusesOf(one), within).toEqual(['PENDING', 'PROCESSING']);
    const removed = await t.rest('DELETE', `/v1/businesses/${shop.businessId}/members/${manager.userId}`, {
      as: shop.admin,
    });
    expect(removed.status).toBe(200);
    await setStatus(id, 'SHIPPED');
    await ended(all, 'FORBIDDEN');
    await ended(one, 'NOT_FOUND');
    await ended(stock, 'NOT_FOUND');
    expect(JSON.stringify([all.received, one.received])).not.toContain('SHIPPED');
  });

  it('hears that the order is gone', async () => {
    const id = await emptyOrder(t, shop, customer);
    const [one, all] = [await watchOrder(id, customer), await watchOrder(null, shop.admin)];
    await t.db.sql('delete from orders where id = $1', [id]);
    await ended(one, 'NOT_FOUND');
    const next = await emptyOrder(t, shop, customer);
    await expect.poll(() => all.received.length, within).toBe(1);
    expect(all.received).toEqual([{ data: { orderChanged: { id: next, status: 'PENDING', version: 1 } } }]);
  });
});

describe('an order', () => {
  const whole = `id businessId customerId market currency subtotal tax shipping discount total status currentPaymentStatus
    allowedStatuses captured refunded version createdAt updatedAt customer { name email isGuest }
    lines { name quantity unitPrice totalPrice product { name } variant { inventory { quantity } } }
    statuses { id status changedBy userId timestamp } paymentStatus { status } refunds { amount status }`;

  it('arrives whole, first as it is, then as REST has changed it', async () => {
    const created = await t.rest<{ id: string }>('POST', shop.orders, {
      as: shop.admin,
      body: {
        customerId: customer.userId,
        market: 'US',
        currency: 'USD',
        lines: [{ type: 'PRODUCT_VARIANT', ...pot, quantity: 2, unitPrice: 1000, totalPrice: 2000 }],
        subtotal: 2000,
        tax: 165,
        shipping: 500,
        total: 2665,
      },
    });
    const { id } = created.body;
    const read = async () =>
      (
        await t.graphql(
          `query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { ${whole} } }`,
          { b: shop.businessId, id },
          { as: customer },
        )
      ).data;
    const stream = await open(
      t,
      `subscription ($b: ID!, $id: ID) { order: orderChanged(businessId: $b, id: $id) { ${whole} } }`,
      { b: shop.businessId, id },
      { as: customer },
    );
    await expect.poll(() => stream.received[0], within).toEqual({ data: await read() });
    await setStatus(id, 'SHIPPED');
    await expect.poll(() => stream.received.at(-1), within).toEqual({ data: await read() });
    const stamp = { id: expect.any(String), timestamp: expect.any(Number) };
    const byAdmin = { changedBy: 'USER', userId: shop.admin.userId, ...stamp };
    expect(stream.received.at(-1)?.data?.order).toEqual({
      id,
      businessId: shop.businessId,
      customerId: customer.userId,
      market: 'US',
      currency: 'USD',
      subtotal: 2000,
      tax: 165,
      shipping: 500,
      discount: 0,
      total: 2665,
      status: 'SHIPPED',
      currentPaymentStatus: 'PENDING',
      allowedStatuses: expect.any(Array),
      captured: 0,
      refunded: 0,
      version: 2,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
      customer: { name: 'Ada', email: 'ada@people.example', isGuest: false },
      lines: [
        {
          name: 'Pot',
          quantity: 2,
          unitPrice: 1000,
          totalPrice: 2000,
          product: { name: 'Pot' },
          variant: { inventory: { quantity: expect.any(Number) } },
        },
      ],
      statuses: [
        { ...byAdmin, status: 'PENDING' },
        { ...byAdmin, status: 'SHIPPED' },
      ],
      paymentStatus: [{ status: 'PENDING' }],
      refunds: [],
    });
    await t.rest('PUT', `${shop.orders}/${id}/payment-status`, { as: shop.admin, body: { status: 'PAID' } });
    await expect
      .poll(() => stream.received.at(-1)?.data?.order, within)
      .toMatchObject({ currentPaymentStatus: 'PAID', version: 3 });
  });

  it('of a guest can be watched by that guest, from checkout to payment page', async () => {
    const guest = await t.guest();
    const staff = await watchOrder(null, shop.admin);
    const { body } = await checkOut([{ ...pot, quantity: 1 }], guest);
    const stream = await watchOrder(body.orderId, guest);
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    await expect.poll(() => statusesOf(staff), within).toEqual(['PENDING']);
    await setStatus(body.orderId, 'CANCELLED');
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING', 'CANCELLED']);
  });

  it('is not told of while its change may still be undone, nor after it was', async () => {
    const id = await emptyOrder(t, shop, customer);
    const stream = await watchOrder(id, customer);
    await expect.poll(() => stream.received.length, within).toBeGreaterThan(0);
    await t.db
      .transaction(async (tx) => {
        await tx.sql('update orders set version = version + 1 where id = $1', [id]);
        throw new Error('undone');
      })
      .catch(() => {});
    await t.db.transaction(async (tx) => {
      await tx.sql('update orders set version = version + 10 where id = $1', [id]);
      await tx.sql('update orders set version = version + 10 where id = $1', [id]);
    });
    const versions = () =>
      told(stream, ({ orderChanged }: { orderChanged?: { version: number } }) => orderChanged?.version);
    await expect.poll(versions, within).toEqual([1, 21]);
  });

  it('is told when money goes back, whatever becomes of it', async () => {
    const id = await emptyOrder(t, shop, customer);
    const stream = await open(
      t,
      `subscription ($b: ID!, $id: ID) { orderChanged(businessId: $b, id: $id) { refunds { status } } }`,
      { b: shop.businessId, id },
      { as: customer },
    );
    const refunds = () =>
      told(stream, ({ orderChanged }: { orderChanged?: { refunds: { status: string }[] } }) =>
        orderChanged?.refunds.map(({ status }) => status).join(),
      );
    await expect.poll(refunds, within).toEqual(['']);
    await t.db.sql(
      `insert into refunds (id, order_id, payment_id, amount, currency, created_at) values ($1, $2, 'p', 1, 'USD', 1)`,
      [newId(), id],
    );
    await expect.poll(refunds, within).toEqual(['', 'PENDING']);
    await t.db.sql(`update refunds set status = 'FAILED' where order_id = $1`, [id]);
    await expect.poll(refunds, within).toEqual(['', 'PENDING', 'FAILED']);
  });

  it.each([1, 10, 100])('costs two statements, also when %i change at once', async (count) => {
    const stream = await watchOrder(null, shop.admin);
    const ids = await Promise.all(Array.from({ length: count }, () => emptyOrder(t, shop, customer)));
    const seen = () =>
      new Set(told(stream, ({ orderChanged }: { orderChanged?: { id: string } }) => orderChanged?.id));
    await expect.poll(seen, within).toEqual(new Set(ids));
    await new Promise((resolve) => setTimeout(resolve, 50));
    stream.received.length = 0;
    await t.db.transaction(async (tx) => {
      await tx.sql('update orders set version = version + 1 where id = any($1::uuid[])', [ids]);
      t.statements.length = 0;
    });
    await expect.poll(seen, within).toEqual(new Set(ids));
    const tables = t.statements.map((text) => /from (\w+)/.exec(text)?.[1]);
    expect(new Set(tables)).toEqual(new Set(['users', 'orders']));
    // Announcements of one commit may come in two packets, and a busy machine may let the viewer be asked once more.
    expect(tables.length).toBeLessThanOrEqual(5);
  });

  it('breaks off when it cannot be read, so that the client comes back', async () => {
    const id = await emptyOrder(t, shop, customer);
    const stream = await watchOrder(id, customer);
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    const away = vi.spyOn(t.db, 'sql').mockRejectedValue(new Error('The database is away.'));
    await t.db.transaction((tx) => tx.sql('update orders set version = version + 1 where id = $1', [id]));
    await expect.poll(() => stream.ended, within).toBe('broken');
    away.mockRestore();
    expect(codesOf(stream)).toEqual([]);
  });

  it('is found by an id in upper case', async () => {
    const id = await emptyOrder(t, shop, customer);
    const stream = await watchOrder(id.toUpperCase(), customer, shop.businessId.toUpperCase());
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING']);
    await setStatus(id, 'PROCESSING');
    await expect.poll(() => statusesOf(stream), within).toEqual(['PENDING', 'PROCESSING']);
  });
});

describe('stock', () => {
  it('arrives first as it is, then as a checkout has left it, and as a cancellation gives it back', async () => {
    const cup = await addProduct(t, shop, { stock: 5, low: 3, name: 'Cup' });
    const guest = await t.guest();
    const stream = await watchStock(cup.productId, guest);
    const level = (quantity: number, isLow: boolean) => ({
      data: {
        stockChanged: {
          ...cup,
          sku: expect.stringMatching(/^SKU-/),
          inventory: { tracked: true, quantity, lowStockThreshold: 3, isLow },
        },
      },
    });
    await expect.poll(() => stream.received, within).toEqual([level(5, false)]);
    const { body } = await checkOut([{ ...cup, quantity: 2 }], guest);
    await expect.poll(() => stream.received, within).toEqual([level(5, false), level(3, true)]);
    await setStatus(body.orderId, 'CANCELLED');
    await expect
      .poll(() => stream.received, within)
      .toEqual([level(5, false), level(3, true), level(5, false)]);
  });

  it('is told by variant, and only of what has changed', async () => {
    const { body } = await t.rest<{ id: string; variants: { id: string; name: string }[] }>(
      'POST',
      `/v1/businesses/${shop.businessId}/products`,
      {
        as: shop.admin,
        body: {
          name: 'Cup',
          slug: `cup-${newId()}`,
          variants: ['S', 'M', 'L'].map((name) => ({
            name,
            pricing: { markets: [{ marketId: 'us', currency: 'USD', price: 100 }] },
            inventory: { tracked: true, quantity: 10 },
          })),
        },
      },
    );
    const bySlug = await t.rest<{ slug: string }>(
      'GET',
      `/v1/businesses/${shop.businessId}/products/${body.id}`,
      { as: shop.admin },
    );
    const guest = await t.guest();
    const [one, all] = [await watchStock(bySlug.body.slug, guest), await watchStock(null, guest)];
    await expect.poll(() => quantitiesOf(one), within).toEqual([10, 10, 10]);
    const [small, , large] = body.variants;
    await checkOut(
      [small, large].map((variant) => ({ productId: body.id, variantId: variant?.id ?? '', quantity: 1 })),
      guest,
    );
    const changed = (stream: Stream) =>
      stream.received
        .map(({ data }) => data?.stockChanged as { variantId: string; inventory: { quantity: number } })
        .filter(({ inventory }) => inventory.quantity === 9)
        .map(({ variantId }) => variantId);
    await expect.poll(() => changed(one), within).toEqual([small?.id, large?.id]);
    await expect.poll(() => changed(all), within).toEqual([small?.id, large?.id]);
    expect([one.received.length, all.received.length]).toEqual([5, 2]);
  });

  it('gathers a rush into few events, and ends on the last level', async () => {
    const cup = await addProduct(t, shop, { stock: 1000 });
    const stream = await watchStock(cup.productId, await t.guest());
    await expect.poll(() => quantitiesOf(stream), within).toEqual([1000]);
    for (let quantity = 999; quantity >= 900; quantity--)
      await t.db.transaction(async (tx) => {
        await tx.sql('update variants set quantity = $2 where id = $1', [cup.variantId, quantity]);
        await tx.sql('update products set version = version + 1 where id = $1', [cup.productId]);
      });
    await expect.poll(() => quantitiesOf(stream).at(-1), within).toBe(900);
    expect(stream.received.length).toBeLessThan(100);
    const quantities = quantitiesOf(stream);
    expect(quantities).toEqual([...quantities].sort((a, b) => (b ?? 0) - (a ?? 0)));
  });

  it('is silent about everything else of a product', async () => {
    const cup = await addProduct(t, shop, { stock: 7 });
    const stream = await watchStock(cup.productId, await t.guest());
    await t.rest('PUT', `/v1/businesses/${shop.businessId}/products/${cup.productId}`, {
      as: shop.admin,
      body: { name: 'Another name' },
    });
    await setStock(cup, 7, shop, {});
    await setStock(cup, 6, shop, {});
    await expect.poll(() => quantitiesOf(stream), within).toEqual([7, 6]);
  });
});

describe('as GraphQL', () => {
  it('counts the cost, checks variables and refuses two fields at once', async () => {
    const wide = `subscription ($b: ID!) { orderChanged(businessId: $b) { ${Array.from({ length: 1001 }, (_item, n) => `a${n}: id`).join(' ')} } }`;
    for (const [query, variables] of [
      [wide, { b: shop.businessId }],
      [orderDocument, {}],
      ['subscription { orderChanged(businessId: "x") { id } stockChanged(businessId: "x") { sku } }', {}],
    ] as const) {
      const stream = await open(t, query, variables, { as: shop.admin });
      await expect.poll(() => stream.ended, within).toBe('complete');
      expect(codesOf(stream)[0]).toMatch(/BAD_REQUEST|VALIDATION_FAILED/);
    }
  });

  it('is not for clients that want a single answer', async () => {
    const answer = await t.graphql(
      orderDocument,
      { b: shop.businessId },
      { as: shop.admin, headers: { accept: 'application/json' } },
    );
    expect(answer).toMatchObject({
      status: 200,
      errors: [
        {
          message: expect.stringContaining('text/event-stream'),
          extensions: { code: 'BAD_REQUEST', details: [] },
        },
      ],
    });
    expect(t.app.services.live.state.watching).toBe(0);
  });

  it.each(['*/*', 'text/*;q=0.5', 'multipart/mixed, application/json, text/event-stream'])(
    'answers %s with events',
    async (accept) => {
      const stream = await open(
        t,
        orderDocument,
        { b: shop.businessId },
        { as: shop.admin, headers: { accept } },
      );
      expect(stream.headers.get('content-type')).toBe('text/event-stream');
    },
  );

  it('lets one account open a hundred, and no more', async () => {
    const many = await Promise.all(
      Array.from({ length: defaultLiveOptions.perUser }, () => watchOrder(null, shop.admin)),
    );
    expect(t.app.services.live.state.watching).toBe(defaultLiveOptions.perUser);
    const refused = await watchOrder(null, shop.admin);
    await expect.poll(() => codesOf(refused), within).toEqual(['RATE_LIMITED']);
    await many[0]?.close();
    await expect.poll(() => t.app.services.live.state.watching).toBe(defaultLiveOptions.perUser - 1);
    const accepted = await watchOrder(null, shop.admin);
    await emptyOrder(t, shop, customer);
    await expect.poll(() => statusesOf(accepted), within).toEqual(['PENDING']);
    await expect.poll(() => many.filter(({ received }) => received.length === 1).length, within).toBe(99);
  });
});
