/** Manual orders created by staff in REST and GraphQL, and lists of orders. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { addProduct, createSellingShop, detailErrors, loadStock } from '../support/shop-fixtures.ts';
import { customer, manualOrder, type OrderBody, other, postOrder, pot, shop, t } from './setup.ts';

describe('a manual order', () => {
  it('is equal in create, get, list and GraphQL responses, and takes stock', async () => {
    const before = (await loadStock(t, pot)) ?? 0;
    const blocks = [{ id: 'address', type: 'TEXT', value: { street: 'Main St 1', city: 'Springfield' } }];
    const created = await postOrder(
      manualOrder({ id: 'ignored', blocks, statuses: [{ id: 's1', status: 'PROCESSING' }], extra: true }),
    );
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      businessId: shop.businessId,
      number: expect.any(Number),
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
          fulfilledQuantity: 0,
          returnedQuantity: 0,
          returnableQuantity: 0,
        },
      ],
      fulfilments: [],
      returns: [],
      subtotal: 2000,
      tax: 165,
      shipping: 500,
      discount: 0,
      total: 2665,
      captured: 0,
      refunded: 0,
      amountDue: 2665,
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
    expect(await loadStock(t, pot)).toBe(before - 2);
    const path = `${shop.orders}/${created.body.id}`;
    expect((await t.rest('GET', path, { as: shop.admin })).body).toEqual(created.body);
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

  it('gets omitted totals and currency computed', async () => {
    const { body } = await postOrder({ market: 'us', lines: [{ ...pot, quantity: 3 }] });
    expect(body).toMatchObject({ currency: 'USD', market: 'US', subtotal: 3000, tax: 0, total: 3000 });
    expect(body).not.toHaveProperty('customerId');
  });

  it('is created once per Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newId() };
    const before = (await loadStock(t, pot)) ?? 0;
    const first = await t.rest<OrderBody>('POST', shop.orders, {
      as: shop.admin,
      body: manualOrder(),
      headers,
    });
    const again = await t.rest('POST', shop.orders, { as: shop.admin, body: manualOrder(), headers });
    expect(again.body).toEqual(first.body);
    const other = await t.rest('POST', shop.orders, {
      as: shop.admin,
      body: manualOrder({ tax: 0, total: 2500 }),
      headers,
    });
    expect(other.status).toBe(409);
    expect(await loadStock(t, pot)).toBe(before - 2);
  });

  it.each([
    ['a wrong subtotal', { subtotal: 1999, total: undefined }, ['subtotal TOTAL_MISMATCH']],
    ['a wrong total', { total: 1 }, ['total TOTAL_MISMATCH']],
    ['a discount above the subtotal', { discount: 2001, total: undefined }, ['discount TOTAL_MISMATCH']],
    ['a negative tax', { tax: -1 }, ['tax TOO_SMALL']],
    ['a fractional amount', { shipping: 0.5 }, ['shipping INVALID_TYPE']],
    ['another currency', { currency: 'EUR' }, ['currency CURRENCY_MISMATCH']],
    ['an unknown customer', { customerId: newId() }, ['customerId CUSTOMER_NOT_FOUND']],
    ['an unknown market without currency', { market: 'X', currency: null }, ['market MARKET_NOT_FOUND']],
    ['an unknown status', { statuses: [{ status: 'LOST' }] }, ['statuses.0.status INVALID_VALUE']],
    [
      'an invalid status history',
      { statuses: [{ status: 'DELIVERED' }, { status: 'PENDING' }] },
      ['statuses INVALID_TRANSITION'],
    ],
    [
      'a block of the wrong type',
      { blocks: [{ id: 'n', type: 'NUMBER', value: 'x' }] },
      ['blocks.0.value INVALID_TYPE'],
    ],
    [
      'an amount beyond the safe integer range',
      { tax: Number.MAX_SAFE_INTEGER, total: undefined },
      ['total AMOUNT_TOO_LARGE'],
    ],
  ])('is rejected for %s', async (_name, more, expected) => {
    const answer = await postOrder(manualOrder(more));
    expect([answer.status, detailErrors(answer.body)]).toEqual([422, expected]);
  });

  it('is rejected with one error per invalid line', async () => {
    const foreign = await addProduct(t, other);
    const answer = await postOrder({
      market: 'US',
      lines: [
        { ...foreign, quantity: 1 },
        { ...pot, variantId: newId(), quantity: 1 },
        { ...pot, quantity: 2, unitPrice: 5, totalPrice: 11 },
      ],
    });
    expect(detailErrors(answer.body)).toEqual([
      'lines.0.productId PRODUCT_NOT_FOUND',
      'lines.1.variantId VARIANT_NOT_FOUND',
      'lines.2.totalPrice TOTAL_MISMATCH',
    ]);
  });

  it('is rejected with every line that is out of stock, without moving stock', async () => {
    const rare = await addProduct(t, shop, { stock: 3 });
    const answer = await postOrder({
      market: 'US',
      lines: [
        { ...pot, quantity: 1 },
        { ...rare, quantity: 2 },
        { ...rare, quantity: 2 },
      ],
    });
    expect([answer.status, detailErrors(answer.body)]).toEqual([
      422,
      ['lines.1 OUT_OF_STOCK', 'lines.2 OUT_OF_STOCK'],
    ]);
    expect(await loadStock(t, rare)).toBe(3);
  });

  it('accepts author and time of a status change only from API keys', async () => {
    const key = await t.withApiKey(shop.admin);
    const stamp = { changedBy: 'SYSTEM', userId: 'crm-7', timestamp: 1_000 };
    const statuses = [{ status: 'PENDING', ...stamp }];
    expect((await postOrder(manualOrder({ statuses }), key)).body.statuses[0]).toMatchObject(stamp);
    expect((await postOrder(manualOrder({ statuses }))).body.statuses[0]).toMatchObject({
      changedBy: 'USER',
      userId: shop.admin.userId,
      timestamp: expect.not.toSatisfy((time: number) => time === 1_000),
    });
  });
});

describe('lists of orders', () => {
  it('execute the same number of statements for 1, 10 and 100 orders', async () => {
    const big = await createSellingShop(t);
    const sold = await Promise.all(Array.from({ length: 3 }, () => addProduct(t, big, { stock: 10_000 })));
    const people = await Promise.all(Array.from({ length: 3 }, () => t.guest()));
    const query = `query ($b: ID!, $n: Int) { orders(businessId: $b, first: $n) { nodes { id status customer { name }
      refunds { id } lines { product { name } variant { name } } } } }`;
    const counts: number[] = [];
    let orderCount = 0;
    for (const size of [1, 10, 100]) {
      for (; orderCount < size; orderCount += 1) {
        await t.rest('POST', big.orders, {
          as: big.admin,
          body: {
            market: 'US',
            customerId: people[orderCount % 3]?.userId,
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
    // One statement each: permissions, orders, customers, refunds, products.
    expect(counts).toEqual([5, 5, 5]);
    t.statements.length = 0;
    await t.rest('GET', `${big.orders}?limit=100`, { as: big.admin });
    expect(t.statements).toHaveLength(2);
  });

  it('return every order exactly once over all pages', async () => {
    const mine = await t.guest();
    const createdIds: string[] = [];
    for (let n = 0; n < 7; n += 1)
      createdIds.unshift((await postOrder(manualOrder({ customerId: mine.userId }))).body.id);
    const listedIds: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { body: { items: OrderBody[]; cursor: string | null } } = await t.rest(
        'GET',
        `${shop.orders}?limit=3&cursor=${cursor}`,
        { as: mine },
      );
      listedIds.push(...page.body.items.map(({ id }) => id));
      cursor = page.body.cursor;
    }
    expect(listedIds).toEqual(createdIds);
  });
});
