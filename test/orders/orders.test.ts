/** Orders made by staff, read by staff and customers, in both voices. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  faultsOf,
  type SellingShop,
  type SoldProduct,
  sellingShop,
  stockOf,
} from '../support/selling.ts';

let t: TestApp;
let shop: SellingShop;
let other: SellingShop;
let customer: Person;
let pot: SoldProduct;

beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await sellingShop(t), await sellingShop(t)];
  customer = await t.person({ name: 'Ada', email: 'ada@people.example' });
  pot = await addProduct(t, shop, { price: 1000, stock: 1000, name: 'Pot' });
});

interface OrderBody {
  id: string;
  version: number;
  total: number;
  statuses: { status: string }[];
  paymentStatus: { status: string }[];
  lines: Record<string, unknown>[];
}

const manual = (more: Record<string, unknown> = {}) => ({
  customerId: customer.userId,
  market: 'US',
  currency: 'USD',
  lines: [{ type: 'PRODUCT_VARIANT', ...pot, quantity: 2, unitPrice: 1000, totalPrice: 2000 }],
  subtotal: 2000,
  tax: 165,
  shipping: 500,
  total: 2665,
  ...more,
});

const create = (body: Record<string, unknown> = manual(), as: Person | undefined = shop.admin) =>
  t.rest<OrderBody>('POST', shop.orders, { as, body });

const put = (path: string, body: unknown, as: Person | undefined = shop.admin, headers = {}) =>
  t.rest<OrderBody>('PUT', `${shop.orders}${path}`, { as, body, headers });

const trail = (entries: { status: string }[] | undefined) => entries?.map((entry) => entry.status);

describe('a manual order', () => {
  it('is the same in create, get, list and GraphQL, and takes stock', async () => {
    const before = (await stockOf(t, pot)) ?? 0;
    const blocks = [{ id: 'address', type: 'TEXT', value: { street: 'Main St 1', city: 'Springfield' } }];
    const created = await create(
      manual({ id: 'ignored', blocks, statuses: [{ id: 's1', status: 'PROCESSING' }], extra: true }),
    );
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      businessId: shop.businessId,
      customerId: customer.userId,
      market: 'US',
      currency: 'USD',
      lines: [
        {
          type: 'PRODUCT_VARIANT',
          ...pot,
          name: 'Pot',
          variantName: 'Small',
          sku: expect.any(String),
          quantity: 2,
          unitPrice: 1000,
          totalPrice: 2000,
          discount: 0,
          tax: 165,
        },
      ],
      subtotal: 2000,
      tax: 165,
      shipping: 500,
      discount: 0,
      total: 2665,
      statuses: [
        {
          id: 's1',
          status: 'PROCESSING',
          changedBy: 'USER',
          userId: shop.admin.userId,
          timestamp: expect.any(Number),
        },
      ],
      paymentStatus: [
        {
          id: expect.any(String),
          status: 'PENDING',
          changedBy: 'USER',
          userId: shop.admin.userId,
          timestamp: expect.any(Number),
        },
      ],
      blocks,
      version: 1,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect(await stockOf(t, pot)).toBe(before - 2);
    const path = `${shop.orders}/${created.body.id}`;
    expect((await t.rest('GET', path, { as: customer })).body).toEqual(created.body);
    const listed = await t.rest<{ items: unknown[] }>('GET', `${shop.orders}?limit=1`, { as: shop.admin });
    expect(listed.body.items).toEqual([created.body]);
    const viaGraphql = await t.graphql(
      `query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { status currentPaymentStatus allowedStatuses
        allowedPaymentStatuses captured refunds { id } customer { name email isGuest }
        lines { name product { name } variant { name inventory { quantity } } } } }`,
      { b: shop.businessId, id: created.body.id },
      { as: shop.admin },
    );
    expect(viaGraphql.data).toEqual({
      order: {
        status: 'PROCESSING',
        currentPaymentStatus: 'PENDING',
        allowedStatuses: ['SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED'],
        allowedPaymentStatuses: ['PAID', 'FAILED'],
        captured: 0,
        refunds: [],
        customer: { name: 'Ada', email: 'ada@people.example', isGuest: false },
        lines: [
          {
            name: 'Pot',
            product: { name: 'Pot' },
            variant: { name: 'Small', inventory: { quantity: before - 2 } },
          },
        ],
      },
    });
  });

  it('fills in what can be reckoned', async () => {
    const { body } = await create({ market: 'us', lines: [{ ...pot, quantity: 3 }] });
    expect(body).toMatchObject({ currency: 'USD', market: 'US', subtotal: 3000, tax: 0, total: 3000 });
    expect(body).not.toHaveProperty('customerId');
  });

  it('is made once under one Idempotency-Key, in either voice', async () => {
    const headers = { 'idempotency-key': newId() };
    const before = (await stockOf(t, pot)) ?? 0;
    const first = await t.rest<OrderBody>('POST', shop.orders, { as: shop.admin, body: manual(), headers });
    const again = await t.rest('POST', shop.orders, { as: shop.admin, body: manual(), headers });
    expect(again.body).toEqual(first.body);
    const other = await t.rest('POST', shop.orders, {
      as: shop.admin,
      body: manual({ tax: 0, total: 2500 }),
      headers,
    });
    expect(other.status).toBe(409);
    expect(await stockOf(t, pot)).toBe(before - 2);
  });

  it.each([
    ['the subtotal', { subtotal: 1999, total: undefined }, ['subtotal TOTAL_MISMATCH']],
    ['the total', { total: 1 }, ['total TOTAL_MISMATCH']],
    ['the discount', { discount: 2001, total: undefined }, ['discount TOTAL_MISMATCH']],
    ['a negative tax', { tax: -1 }, ['tax TOO_SMALL']],
    ['a fraction', { shipping: 0.5 }, ['shipping INVALID_TYPE']],
    ['another currency', { currency: 'EUR' }, ['currency CURRENCY_MISMATCH']],
    ['an unknown customer', { customerId: newId() }, ['customerId CUSTOMER_NOT_FOUND']],
    ['an unknown market without currency', { market: 'X', currency: null }, ['market MARKET_NOT_FOUND']],
    ['an unknown status', { statuses: [{ status: 'LOST' }] }, ['statuses.0.status INVALID_VALUE']],
    [
      'an impossible history',
      { statuses: [{ status: 'DELIVERED' }, { status: 'PENDING' }] },
      ['statuses INVALID_TRANSITION'],
    ],
    [
      'a block of the wrong type',
      { blocks: [{ id: 'n', type: 'NUMBER', value: 'x' }] },
      ['blocks.0.value INVALID_TYPE'],
    ],
    ['huge sums', { tax: Number.MAX_SAFE_INTEGER, total: undefined }, ['total AMOUNT_TOO_LARGE']],
  ])('is refused for %s', async (_name, more, expected) => {
    const answer = await create(manual(more));
    expect([answer.status, faultsOf(answer.body)]).toEqual([422, expected]);
  });

  it('is refused for lines that cannot be', async () => {
    const foreign = await addProduct(t, other);
    const answer = await create({
      market: 'US',
      lines: [
        { ...foreign, quantity: 1 },
        { ...pot, variantId: newId(), quantity: 1 },
        { ...pot, quantity: 2, unitPrice: 5, totalPrice: 11 },
      ],
    });
    expect(faultsOf(answer.body)).toEqual([
      'lines.0.productId PRODUCT_NOT_FOUND',
      'lines.1.variantId VARIANT_NOT_FOUND',
      'lines.2.totalPrice TOTAL_MISMATCH',
    ]);
  });

  it('names every short line and leaves stock alone', async () => {
    const rare = await addProduct(t, shop, { stock: 3 });
    const answer = await create({
      market: 'US',
      lines: [
        { ...pot, quantity: 1 },
        { ...rare, quantity: 2 },
        { ...rare, quantity: 2 },
      ],
    });
    expect([answer.status, faultsOf(answer.body)]).toEqual([
      422,
      ['lines.1 OUT_OF_STOCK', 'lines.2 OUT_OF_STOCK'],
    ]);
    expect(await stockOf(t, rare)).toBe(3);
  });

  it('believes only API keys about who changed a status, and when', async () => {
    const key = await t.withApiKey(shop.admin);
    const told = { changedBy: 'SYSTEM', userId: 'crm-7', timestamp: 1_000 };
    const statuses = [{ status: 'PENDING', ...told }];
    expect((await create(manual({ statuses }), key)).body.statuses[0]).toMatchObject(told);
    expect((await create(manual({ statuses }))).body.statuses[0]).toMatchObject({
      changedBy: 'USER',
      userId: shop.admin.userId,
      timestamp: expect.not.toSatisfy((time: number) => time === 1_000),
    });
  });
});

describe('who sees and changes what', () => {
  it('shows an order to its customer and to staff, to nobody else', async () => {
    const { body } = await create();
    const path = `${shop.orders}/${body.id}`;
    const editor = await t.hire(shop, await t.person(), 'EDITOR');
    const manager = await t.hire(shop, await t.person(), 'MANAGER');
    const statusAs = async (as: Person | undefined, at = path) => (await t.rest('GET', at, { as })).status;
    expect(await statusAs(customer)).toBe(200);
    expect(await statusAs(manager)).toBe(200);
    expect(await statusAs(undefined)).toBe(401);
    for (const as of [await t.guest(), await t.person(), editor, other.admin])
      expect(await statusAs(as)).toBe(404);
    expect(await statusAs(shop.admin, `${other.orders}/${body.id}`)).toBe(404);
    expect(await statusAs(other.admin, `${other.orders}/${body.id}`)).toBe(404);
    expect(await statusAs(shop.admin, `${shop.orders}/not-an-id`)).toBe(404);
  });

  it('lists their own orders to customers, whatever they filter by', async () => {
    const [mine, theirs] = [await t.person(), await t.person()];
    const own = await create(manual({ customerId: mine.userId }));
    await create(manual({ customerId: theirs.userId }));
    const idsOf = async (as: Person, query: string) =>
      (await t.rest<{ items: OrderBody[] }>('GET', `${shop.orders}?${query}`, { as })).body.items.map(
        ({ id }) => id,
      );
    expect(await idsOf(mine, '')).toEqual([own.body.id]);
    expect(await idsOf(mine, `customerId=${theirs.userId}`)).toEqual([]);
    expect(await idsOf(shop.admin, `customerId=${mine.userId}`)).toEqual([own.body.id]);
    expect(await idsOf(shop.admin, `userId=${mine.userId}`)).toEqual([own.body.id]);
    expect(await idsOf(shop.admin, 'customerId=nobody')).toEqual([]);
    expect(await idsOf(other.admin, '')).toEqual([]);
    expect(await idsOf(shop.admin, `ids=${own.body.id},junk`)).toEqual([own.body.id]);
    expect(await idsOf(mine, `statuses=${encodeURIComponent('["PENDING","SHIPPED"]')}`)).toEqual([
      own.body.id,
    ]);
    expect(await idsOf(mine, 'status=SHIPPED')).toEqual([]);
    expect((await t.rest('GET', `${shop.orders}?status=LOST`, { as: mine })).status).toBe(422);
    expect((await t.rest('GET', shop.orders)).status).toBe(401);
  });

  it('lets only staff of the business write', async () => {
    const { body } = await create();
    for (const [as, creating, changing] of [
      [undefined, 401, 401],
      [customer, 403, 403],
      [await t.guest(), 403, 403],
      [await t.hire(shop, await t.person(), 'EDITOR'), 403, 403],
      [other.admin, 403, 404],
    ] as [Person | undefined, number, number][]) {
      expect((await t.rest('POST', shop.orders, { as, body: { lines: 7 } })).status).toBe(creating);
      for (const [path, payload] of [
        ['/update', { id: body.id, tax: 'x' }],
        [`/${body.id}/status`, { status: 'CANCELLED' }],
        [`/${body.id}/payment-status`, { status: 'PAID' }],
      ] as const) {
        expect((await t.rest('PUT', `${shop.orders}${path}`, { as, body: payload })).status).toBe(changing);
      }
    }
    const elsewhere = await t.rest('PUT', `${other.orders}/${body.id}/status`, {
      as: other.admin,
      body: { status: 'CANCELLED' },
    });
    expect(elsewhere.status).toBe(404);
  });

  it('shows no drafts through lines, and survives deleted products', async () => {
    const gone = await addProduct(t, shop, { name: 'Gone' });
    const hidden = await addProduct(t, shop, { name: 'Hidden' });
    const { body } = await create(
      manual({ lines: [gone, hidden].map((sold) => ({ ...sold, quantity: 1 })), subtotal: 2000 }),
    );
    const products = `/v1/businesses/${shop.businessId}/products`;
    await t.rest('DELETE', `${products}/${gone.productId}`, { as: shop.admin });
    await t.rest('PUT', `${products}/${hidden.productId}`, { as: shop.admin, body: { status: 'DRAFT' } });
    const lines = async (as: Person) =>
      (
        await t.graphql(
          'query ($b: ID!, $id: ID!) { order(businessId: $b, id: $id) { lines { name product { name } variant { name } } } }',
          { b: shop.businessId, id: body.id },
          { as },
        )
      ).data;
    const nothing = { product: null, variant: null };
    expect(await lines(customer)).toEqual({
      order: {
        lines: [
          { name: 'Gone', ...nothing },
          { name: 'Hidden', ...nothing },
        ],
      },
    });
    expect(await lines(shop.admin)).toEqual({
      order: {
        lines: [
          { name: 'Gone', ...nothing },
          { name: 'Hidden', product: { name: 'Hidden' }, variant: { name: 'Small' } },
        ],
      },
    });
  });
});

describe('statuses', () => {
  it('move forward, answer the order, and say what is allowed otherwise', async () => {
    const { body } = await create();
    const shipped = await put(`/${body.id}/status`, { id: body.id, status: 'SHIPPED' });
    expect(shipped.status).toBe(200);
    expect(trail(shipped.body.statuses)).toEqual(['PENDING', 'SHIPPED']);
    expect(shipped.body.version).toBe(2);
    const again = await put(`/${body.id}/status`, { status: 'SHIPPED' });
    expect(again.body).toEqual(shipped.body);
    const back = await put(`/${body.id}/status`, { status: 'CANCELLED' });
    expect([back.status, faultsOf(back.body)]).toEqual([422, ['status INVALID_TRANSITION']]);
    expect(JSON.stringify(back.body)).toContain('DELIVERED, REFUNDED');
    const paid = await put(`/${body.id}/payment-status`, { id: body.id, paymentStatus: 'PAID' });
    expect(trail(paid.body.paymentStatus)).toEqual(['PENDING', 'PAID']);
    expect(faultsOf((await put(`/${body.id}/payment-status`, { status: 'FAILED' })).body)).toEqual([
      'status INVALID_TRANSITION',
    ]);
    expect(faultsOf((await put(`/${body.id}/status`, {})).body)).toEqual(['status REQUIRED']);
    expect((await put(`/${newId()}/status`, { status: 'SHIPPED' })).status).toBe(404);
  });

  it('return stock once when cancelled', async () => {
    const rare = await addProduct(t, shop, { stock: 5 });
    const version = async () =>
      (
        await t.rest<{ version: number }>(
          'GET',
          `/v1/businesses/${shop.businessId}/products/${rare.productId}`,
          { as: customer },
        )
      ).body.version;
    const { body } = await create({ market: 'US', lines: [{ ...rare, quantity: 4 }] });
    expect([await stockOf(t, rare), await version()]).toEqual([1, 2]);
    await put(`/${body.id}/status`, { status: 'CANCELLED' });
    await put(`/${body.id}/status`, { status: 'CANCELLED' });
    expect([await stockOf(t, rare), await version()]).toEqual([5, 3]);
    expect(
      (await create({ market: 'US', status: 'CANCELLED', lines: [{ ...rare, quantity: 4 }] })).status,
    ).toBe(200);
    expect(await stockOf(t, rare)).toBe(5);
  });

  it('respect If-Match', async () => {
    const created = await create();
    const etag = created.headers.get('etag') ?? '';
    const first = await put(`/${created.body.id}/status`, { status: 'PROCESSING' }, shop.admin, {
      'if-match': etag,
    });
    expect(first.status).toBe(200);
    const stale = await put(`/${created.body.id}/status`, { status: 'SHIPPED' }, shop.admin, {
      'if-match': etag,
    });
    expect(stale.status).toBe(412);
    expect(
      (await put('/update', { id: created.body.id, tax: 0 }, shop.admin, { 'if-match': etag })).status,
    ).toBe(412);
  });
});

describe('an update', () => {
  it('changes what it is sent, keeps totals whole and moves stock by the difference', async () => {
    const [a, b] = [
      await addProduct(t, shop, { stock: 10, price: 100 }),
      await addProduct(t, shop, { stock: 10, price: 7 }),
    ];
    const { body } = await create({ market: 'US', tax: 5, lines: [{ ...a, quantity: 4 }] });
    const changed = await put('/update', {
      id: body.id,
      lines: [
        { ...b, quantity: 3 },
        { ...a, quantity: 1 },
      ],
      subtotal: 121,
      total: 126,
    });
    expect(changed.body).toMatchObject({ subtotal: 121, tax: 5, total: 126, version: 2 });
    expect([await stockOf(t, a), await stockOf(t, b)]).toEqual([9, 7]);
    const noted = await put('/update', {
      id: body.id,
      blocks: [{ id: 'note', type: 'TEXT', value: 'ring twice' }],
    });
    expect(noted.body).toMatchObject({ subtotal: 121, total: 126, blocks: [{ id: 'note' }] });
    const cancelled = await put('/update', { id: body.id, status: 'CANCELLED' });
    expect(trail(cancelled.body.statuses)).toEqual(['PENDING', 'CANCELLED']);
    expect([await stockOf(t, a), await stockOf(t, b)]).toEqual([10, 10]);
  });

  it.each([
    ['totals that do not add up', { total: 1 }, ['total TOTAL_MISMATCH']],
    ['a subtotal that is not the sum', { subtotal: 1 }, ['subtotal TOTAL_MISMATCH']],
    ['a discount beyond the subtotal', { discount: 1_000_000 }, ['discount TOTAL_MISMATCH']],
    ['an unknown customer', { customerId: newId() }, ['customerId CUSTOMER_NOT_FOUND']],
    [
      'an impossible payment status',
      { paymentStatus: [{ status: 'REFUNDED' }] },
      ['paymentStatus INVALID_TRANSITION'],
    ],
  ])('refuses %s', async (_name, change, expected) => {
    const { body } = await create();
    const answer = await put('/update', { id: body.id, ...change });
    expect([answer.status, faultsOf(answer.body)]).toEqual([422, expected]);
    expect((await t.rest('GET', `${shop.orders}/${body.id}`, { as: shop.admin })).body).toEqual(body);
  });

  it('needs an id, and an order', async () => {
    expect(faultsOf((await put('/update', { tax: 1 })).body)).toEqual(['id REQUIRED']);
    expect((await put('/update', { id: newId() })).status).toBe(404);
  });

  it('never brings stock below zero, nor changes lines after shipping', async () => {
    const rare = await addProduct(t, shop, { stock: 5 });
    const { body } = await create({ market: 'US', lines: [{ ...rare, quantity: 4 }] });
    const more = await put('/update', { id: body.id, lines: [{ ...rare, quantity: 6 }] });
    expect(faultsOf(more.body)).toEqual(['lines.0 OUT_OF_STOCK']);
    expect(await stockOf(t, rare)).toBe(1);
    await put(`/${body.id}/status`, { status: 'SHIPPED' });
    const late = await put('/update', { id: body.id, lines: [{ ...rare, quantity: 1 }] });
    expect(faultsOf(late.body)).toEqual(['lines ORDER_NOT_EDITABLE']);
    const same = await put('/update', { id: body.id, lines: body.lines, shipping: 10 });
    expect(same.body).toMatchObject({ shipping: 10, total: 4010 });
  });
});

describe('lists', () => {
  it('cost the same number of statements at 1, 10 and 100 orders', async () => {
    const big = await sellingShop(t);
    const sold = await Promise.all(Array.from({ length: 3 }, () => addProduct(t, big, { stock: 10_000 })));
    const people = await Promise.all(Array.from({ length: 3 }, () => t.person()));
    const query = `query ($b: ID!, $n: Int) { orders(businessId: $b, first: $n) { nodes { id status customer { name }
      refunds { id } lines { product { name } variant { name } } } } }`;
    const counts: number[] = [];
    let made = 0;
    for (const size of [1, 10, 100]) {
      for (; made < size; made += 1) {
        await t.rest('POST', big.orders, {
          as: big.admin,
          body: {
            market: 'US',
            customerId: people[made % 3]?.userId,
            lines: sold.map((line) => ({ ...line, quantity: 1 })),
          },
        });
      }
      t.statements.length = 0;
      const { data, errors } = await t.graphql(query, { b: big.businessId, n: 100 }, { as: big.admin });
      expect(errors).toEqual([]);
      expect((data as unknown as { orders: { nodes: unknown[] } }).orders.nodes).toHaveLength(size);
      counts.push(t.statements.length);
    }
    // Permissions, orders, customers, refunds, products.
    expect(counts).toEqual([5, 5, 5]);
    t.statements.length = 0;
    await t.rest('GET', `${big.orders}?limit=100`, { as: big.admin });
    expect(t.statements).toHaveLength(2);
  }, 60_000);

  it('page through everything once', async () => {
    const mine = await t.person();
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1) made.unshift((await create(manual({ customerId: mine.userId }))).body.id);
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { body: { items: OrderBody[]; cursor: string | null } } = await t.rest(
        'GET',
        `${shop.orders}?limit=3&cursor=${cursor}`,
        { as: mine },
      );
      seen.push(...page.body.items.map(({ id }) => id));
      cursor = page.body.cursor;
    }
    expect(seen).toEqual(made);
  });
});
