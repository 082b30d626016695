/** Import of orders from another system: once each, with validated totals, and without effects on stock, payments and customers. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { auditFindings } from '../support/consistency-audit.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import {
  addProduct,
  createSellingShop,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';
import { bulkPath, exportContent, finishBulk, jsonl, lineErrorsOf, runBulk, startBulk } from './setup.ts';

let t: TestApp;
let shop: SellingShop;
let other: SellingShop;
let ada: Person;
let stranger: Person;
let pot: SoldProduct;

beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
  ada = await t.person({ name: 'Ada', email: 'ada@people.example' });
  stranger = await t.person({ name: 'Eve', email: 'eve@people.example' });
  await createEmptyOrder(t, shop, ada);
  await createEmptyOrder(t, other, stranger);
  pot = await addProduct(t, shop, { price: 1000, stock: 10, name: 'Pot' });
  await t.db.write(`update variants set sku = 'POT-1' where id = $1`, [pot.variantId]);
});

interface OrderBody {
  id: string;
  number: number;
  externalReference: string;
  customerId?: string;
  total: number;
  amountDue: number;
  createdAt: number;
  lines: { productId: string; name: string; sku?: string; totalPrice: number; tax: number }[];
  statuses: { status: string; timestamp: number }[];
  paymentStatus: { status: string }[];
}

const orderLine = (externalReference: string, more: object = {}) => ({
  externalReference,
  placedAt: 1_600_000_000,
  currency: 'USD',
  market: 'US',
  status: 'DELIVERED',
  paymentStatus: 'PAID',
  lines: [
    { sku: 'POT-1', quantity: 2, unitPrice: 900, totalPrice: 1800 },
    { name: 'Gift wrap', quantity: 1, unitPrice: 250 },
  ],
  subtotal: 2050,
  discount: 50,
  tax: 165,
  shipping: 500,
  total: 2665,
  ...more,
});

const importOrders = (...lines: object[]) =>
  runBulk(t, shop, 'imports', { resource: 'ORDERS', content: jsonl(...lines) });
const listOrders = async (ofShop = shop) =>
  (
    await t.rest<{ items: OrderBody[] }>('GET', `${ofShop.orders}?limit=100`, { as: ofShop.admin })
  ).body.items.filter(({ lines }) => lines.length > 0);
const findOrder = async (reference: string) =>
  (await listOrders()).find(({ externalReference }) => externalReference === reference);
const stock = async () =>
  (await t.db.sql<{ quantity: number }>('select quantity from variants where id = $1', [pot.variantId]))[0]
    ?.quantity;

describe('an imported order', () => {
  it('is created once, with its original data and a new number', async () => {
    const hook = { url: 'https://hooks.example/orders', events: ['order.created'] };
    const webhooksPath = `/v1/businesses/${shop.businessId}/webhooks`;
    expect((await t.rest('POST', webhooksPath, { as: shop.admin, body: hook })).status).toBe(200);
    const line = orderLine('OLD-1', { email: 'Ada@People.example' });
    expect(await importOrders(line, line, orderLine('OLD-2'))).toMatchObject({ done: 3, failed: 0 });
    expect(
      await importOrders({
        ...line,
        lines: [{ name: 'Else', quantity: 1, unitPrice: 1 }],
        subtotal: 1,
        discount: 0,
        tax: 0,
        shipping: 0,
        total: 1,
      }),
    ).toMatchObject({ done: 1 });
    const order = await findOrder('OLD-1');
    expect(order).toMatchObject({
      number: expect.any(Number),
      customerId: ada.userId,
      total: 2665,
      amountDue: 0,
      createdAt: 1_600_000_000,
      captured: 0,
      statuses: [{ status: 'DELIVERED', timestamp: 1_600_000_000 }],
      paymentStatus: [{ status: 'PAID' }],
      fulfilments: [{ status: 'DELIVERED' }],
      lines: [
        { ...pot, name: 'Pot', sku: 'POT-1', totalPrice: 1800 },
        { name: 'Gift wrap', totalPrice: 250 },
      ],
    });
    expect(order?.lines.reduce((sum, { tax }) => sum + tax, 0)).toBe(165);
    const { body: own } = await t.rest<OrderBody>('POST', shop.orders, {
      as: shop.admin,
      body: { market: 'US', lines: [{ ...pot, quantity: 1 }] },
    });
    // Newest first: imported orders have older dates.
    const all = await listOrders();
    expect(all.map(({ id }) => id).indexOf(own.id)).toBe(0);
    expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
    expect(await stock()).toBe(9);
    const events = await t.db.sql(`select 1 from webhook_events where business_id = $1`, [shop.businessId]);
    expect(events.length).toBe(1);
    expect(await t.outbox('ada@people.example')).toEqual([]);
  });

  it('passes the audit, and cannot be refunded', async () => {
    expect(await auditFindings(t.app.services)).toEqual([]);
    const { id = '' } = (await findOrder('OLD-2')) ?? {};
    const refund = await t.rest<{ details: object[] }>('POST', `${shop.orders}/${id}/refunds`, {
      as: shop.admin,
      body: {},
    });
    expect([refund.status, refund.body.details]).toMatchObject([
      422,
      [{ error: 'NOTHING_TO_REFUND', message: expect.stringContaining('made outside the gateway') }],
    ]);
    const before = await stock();
    await importOrders(orderLine('OPEN', { status: 'PROCESSING' }));
    const open = await findOrder('OPEN');
    const cancelled = await t.rest('PUT', `${shop.orders}/${open?.id}/status`, {
      as: shop.admin,
      body: { status: 'CANCELLED' },
    });
    expect([cancelled.status, await stock()]).toEqual([200, before]);
    expect(await auditFindings(t.app.services)).toEqual([]);
    // The audit checks imported orders too.
    const change = (by: number) =>
      t.db.write(
        `update orders set total = total + $2, subtotal = subtotal + $2, number = number + 1000 * $2::int where id = $1`,
        [id, by],
      );
    await change(1);
    expect(await auditFindings(t.app.services)).toEqual([
      `order:${id}: subtotal 2051, but its lines add up to 2050`,
      expect.stringMatching(`^business:${shop.businessId}: \\d+ order numbers issued`),
    ]);
    await change(-1);
  });

  it('has its own transaction, so that a checkout waits for the number of one order only', async () => {
    t.statements.length = 0;
    expect(await importOrders(orderLine('OWN-1'), orderLine('OWN-2'), orderLine('OWN-3'))).toMatchObject({
      done: 3,
    });
    const steps = t.statements.filter((text) => /^update bulk_operations\s+set position/.test(text));
    expect(steps.length).toBe(3);
  });

  it('can be returned without a refund and without a change of stock', async () => {
    await importOrders(orderLine('BACK', { email: 'ada@people.example' }));
    const { id = '', lines = [] } = (await findOrder('BACK')) ?? {};
    const before = await stock();
    const returnsPath = `${shop.orders}/${id}/returns`;
    const returnInput = { lines: [{ line: 0, quantity: 2 }] };
    const requested = await t.rest<{ id: string }>('POST', returnsPath, { as: ada, body: returnInput });
    expect([requested.status, lines.length]).toEqual([200, 2]);
    const accept = `${returnsPath}/${requested.body.id}/accept`;
    const refused = await t.rest<{ details: object[] }>('POST', accept, { as: shop.admin, body: {} });
    expect([refused.status, refused.body.details]).toMatchObject([422, [{ error: 'NOTHING_TO_REFUND' }]]);
    const accepted = await t.rest('POST', accept, { as: shop.admin, body: { refund: 0 } });
    expect([accepted.status, await stock()]).toEqual([200, before]);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });

  it('reports all errors of a line, and creates nothing', async () => {
    const count = (await listOrders()).length;
    const { id } = await importOrders(
      orderLine('BAD-1', {
        currency: 'EUR',
        customerId: stranger.userId,
        lines: [{ sku: 'NONE', quantity: 2, unitPrice: 900, totalPrice: 1799 }],
        total: 1,
      }),
      orderLine('BAD-2', { subtotal: 1, discount: 5000, total: 1 }),
      orderLine('BAD-3', { placedAt: 99_999_999_999, status: 'GONE', lines: [{ name: 'x', quantity: 0 }] }),
      { lines: [] },
      orderLine('BAD-4', { lines: [{ name: 'x', quantity: 1_000_000, unitPrice: 9_000_000_000_000_000 }] }),
      orderLine('BAD-5', { email: 'nobody' }),
    );
    expect(await lineErrorsOf(t, shop, id)).toEqual([
      [
        1,
        'VALIDATION_FAILED',
        'currency CURRENCY_MISMATCH',
        'customerId CUSTOMER_NOT_FOUND',
        'lines.0.name VARIANT_NOT_FOUND',
        'lines.0.totalPrice TOTAL_MISMATCH',
      ],
      [2, 'VALIDATION_FAILED', 'subtotal TOTAL_MISMATCH', 'discount TOTAL_MISMATCH', 'total TOTAL_MISMATCH'],
      [
        3,
        'VALIDATION_FAILED',
        'status INVALID_VALUE',
        'placedAt TOO_BIG',
        'lines.0.quantity TOO_SMALL',
        'lines.0.unitPrice REQUIRED',
      ],
      [4, 'VALIDATION_FAILED', 'lines TOO_SHORT', 'externalReference REQUIRED'],
      [5, 'VALIDATION_FAILED', 'lines.0.totalPrice AMOUNT_TOO_LARGE'],
      [6, 'VALIDATION_FAILED', 'email INVALID_EMAIL'],
    ]);
    expect((await listOrders()).length).toBe(count);
  });

  it('is not linked to a user without a relation to the business, and does not reveal whether one exists', async () => {
    const unproved = await t.person({ email: 'unproved@people.example' });
    await createEmptyOrder(t, shop, unproved);
    await t.db.prisma.user.update({ where: { id: unproved.userId }, data: { isConfirmed: false } });
    const emails = ['eve@people.example', 'nobody@people.example', 'unproved@people.example'];
    const lines = emails.map((email) => orderLine(`by ${email}`, { email }));
    expect(await importOrders(...lines)).toMatchObject({ done: 3, failed: 0 });
    for (const email of emails) expect((await findOrder(`by ${email}`))?.customerId).toBeUndefined();
    const { id } = await importOrders(
      orderLine('X1', { customerId: stranger.userId }),
      orderLine('X2', { customerId: shop.businessId }),
      orderLine('X3', { customerId: 'x' }),
    );
    const errors = await lineErrorsOf(t, shop, id);
    expect(errors.map(([, ...error]) => error)).toEqual(
      Array(3).fill(['VALIDATION_FAILED', 'customerId CUSTOMER_NOT_FOUND']),
    );
  });
});

describe.each(['JSONL', 'CSV'])('an export as %s', (format) => {
  it('changes nothing when imported again, and is imported into another business once', async () => {
    const content = await exportContent(t, shop, { resource: 'ORDERS', format });
    const total = (await t.rest<{ items: object[] }>('GET', `${shop.orders}?limit=100`, { as: shop.admin }))
      .body.items.length;
    const again = await runBulk(t, shop, 'imports', { resource: 'ORDERS', format, content });
    // Orders without lines exist in tests only and are rejected.
    expect(again.done + again.failed).toBe(total);
    expect(await exportContent(t, shop, { resource: 'ORDERS', format })).toBe(content);
    const to = await createSellingShop(t);
    const moved = await runBulk(t, to, 'imports', { resource: 'ORDERS', format, content });
    const rejected = await lineErrorsOf(t, to, moved.id);
    expect(moved.done + moved.failed).toBe(total);
    for (const [, , ...errors] of rejected)
      for (const error of errors)
        expect(['customerId CUSTOMER_NOT_FOUND', 'lines TOO_SHORT']).toContain(error);
    const importedOrders = await listOrders(to);
    expect(importedOrders.length).toBe(moved.done);
    const originals = new Map(
      (await listOrders()).map((order) => [order.externalReference ?? order.id, order]),
    );
    for (const { externalReference, total, createdAt, lines } of importedOrders) {
      const original = originals.get(externalReference);
      expect([total, createdAt, lines.map(({ name }) => name)]).toEqual([
        original?.total,
        original?.createdAt,
        original?.lines.map(({ name }) => name),
      ]);
      // Products of the other business are not referenced.
      expect(lines.map(({ productId }) => productId)).not.toContain(pot.productId);
    }
    expect(await runBulk(t, to, 'imports', { resource: 'ORDERS', format, content })).toMatchObject({
      done: moved.done,
    });
    expect((await listOrders(to)).length).toBe(moved.done);
    expect(await auditFindings(t.app.services)).toEqual([]);
  });
});

it('creates an order once in concurrent imports', async () => {
  const body = { resource: 'ORDERS', content: jsonl(orderLine('RACE-1'), orderLine('RACE-2')) };
  const operations = await Promise.all([1, 2, 3].map(() => startBulk(t, shop, 'imports', body)));
  const results = await Promise.all(operations.map(({ id }) => finishBulk(t, shop, id)));
  expect(results.map(({ done, failed }) => [done, failed])).toEqual(Array(3).fill([2, 0]));
  const references = (await listOrders()).map(({ externalReference }) => externalReference);
  expect(references.filter((reference) => reference?.startsWith('RACE')).sort()).toEqual([
    'RACE-1',
    'RACE-2',
  ]);
});

it('matches ids case-insensitively', async () => {
  const { externalReference: _none, ...line } = orderLine('');
  const id = '01900000-0000-7000-8000-00000000abcd';
  await importOrders({ ...line, id: id.toUpperCase() }, { ...line, id }, { ...line, externalReference: id });
  const all = (await listOrders()).filter((order) => order.externalReference?.toLowerCase() === id);
  expect(all.map(({ externalReference }) => externalReference)).toEqual([id]);
});

it('matches an order by id, regardless of its reference', async () => {
  const { body: own } = await t.rest<OrderBody>('POST', shop.orders, {
    as: shop.admin,
    body: { market: 'US', lines: [{ ...pot, quantity: 1 }] },
  });
  const id = '01900000-0000-7000-8000-00000000beef';
  const { externalReference: _none, ...line } = orderLine('');
  await importOrders({ ...line, id });
  const count = (await listOrders()).length;
  const again = [
    orderLine('NEW-1', { id: own.id }),
    orderLine('NEW-2', { id }),
    orderLine('NEW-3', { id: own.id.toUpperCase() }),
  ];
  expect(await importOrders(...again)).toMatchObject({ done: 3, failed: 0 });
  expect((await listOrders()).length).toBe(count);
  // An id that is not a UUID belongs to another system and is ignored.
  expect(
    await importOrders(orderLine('NEW-4', { id: '17' }), orderLine('NEW-5', { id: '17' })),
  ).toMatchObject({ done: 2 });
  expect((await listOrders()).length).toBe(count + 2);
});

it('requires ORDERS_WRITE', async () => {
  const body = { resource: 'ORDERS', content: jsonl(orderLine('THEIRS')) };
  const people: [Person | undefined, number][] = [
    [undefined, 401],
    [await t.guest(), 403],
    [ada, 403],
    [other.admin, 403],
    [await t.addMember(shop, await t.person(), 'EDITOR'), 403],
    [await t.withApiKey(shop.admin, ['ORDERS_READ']), 403],
    [await t.withApiKey(shop.admin, ['ORDERS_WRITE']), 200],
  ];
  for (const [as, status] of people)
    expect((await t.rest('POST', `${bulkPath(shop)}/imports`, { as, body })).status).toBe(status);
});
