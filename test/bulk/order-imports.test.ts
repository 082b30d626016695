/** Orders that were placed elsewhere come in once, add up, and leave stock, money and people alone. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import { findingsOf } from '../support/audit.ts';
import { emptyOrder } from '../support/orders.ts';
import { addProduct, type SellingShop, type SoldProduct, sellingShop } from '../support/selling.ts';
import { begin, bulkPath, done, errorsOf, exported, finished, jsonl } from './setup.ts';

let t: TestApp;
let shop: SellingShop;
let other: SellingShop;
let ada: Person;
let stranger: Person;
let pot: SoldProduct;

beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await sellingShop(t), await sellingShop(t)];
  ada = await t.person({ name: 'Ada', email: 'ada@people.example' });
  stranger = await t.person({ name: 'Eve', email: 'eve@people.example' });
  await emptyOrder(t, shop, ada);
  await emptyOrder(t, other, stranger);
  pot = await addProduct(t, shop, { price: 1000, stock: 10, name: 'Pot' });
  await t.db.sql(`update variants set sku = 'POT-1' where id = $1`, [pot.variantId]);
});

interface Shown {
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

const past = (externalReference: string, more: object = {}) => ({
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

const imported = (...lines: object[]) =>
  done(t, shop, 'imports', { resource: 'ORDERS', content: jsonl(...lines) });
const listed = async (at = shop) =>
  (await t.rest<{ items: Shown[] }>('GET', `${at.orders}?limit=100`, { as: at.admin })).body.items.filter(
    ({ lines }) => lines.length > 0,
  );
const known = async (reference: string) =>
  (await listed()).find(({ externalReference }) => externalReference === reference);
const stock = async () =>
  (await t.db.sql<{ quantity: number }>('select quantity from variants where id = $1', [pot.variantId]))[0]
    ?.quantity;

describe('an order that was placed elsewhere', () => {
  it('is there as it was, with a number of its own, and once', async () => {
    const hook = { url: 'https://hooks.example/orders', events: ['order.created'] };
    const at = `/v1/businesses/${shop.businessId}/webhooks`;
    expect((await t.rest('POST', at, { as: shop.admin, body: hook })).status).toBe(200);
    const line = past('OLD-1', { email: 'Ada@People.example' });
    expect(await imported(line, line, past('OLD-2'))).toMatchObject({ done: 3, failed: 0 });
    expect(
      await imported({
        ...line,
        lines: [{ name: 'Else', quantity: 1, unitPrice: 1 }],
        subtotal: 1,
        discount: 0,
        tax: 0,
        shipping: 0,
        total: 1,
      }),
    ).toMatchObject({ done: 1 });
    const order = await known('OLD-1');
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
    const { body: own } = await t.rest<Shown>('POST', shop.orders, {
      as: shop.admin,
      body: { market: 'US', lines: [{ ...pot, quantity: 1 }] },
    });
    // The newest first: those of the past are not.
    const all = await listed();
    expect(all.map(({ id }) => id).indexOf(own.id)).toBe(0);
    expect(new Set(all.map(({ number }) => number)).size).toBe(all.length);
    expect(await stock()).toBe(9);
    const events = await t.db.sql(`select 1 from webhook_events where business_id = $1`, [shop.businessId]);
    expect(events.length).toBe(1);
    expect(await t.outbox('ada@people.example')).toEqual([]);
  });

  it('keeps the books clean, and gives no money back that was never taken here', async () => {
    expect(await findingsOf(t.app.services)).toEqual([]);
    const { id = '' } = (await known('OLD-2')) ?? {};
    const refund = await t.rest<{ details: object[] }>('POST', `${shop.orders}/${id}/refunds`, {
      as: shop.admin,
      body: {},
    });
    expect([refund.status, refund.body.details]).toMatchObject([
      422,
      [{ error: 'NOTHING_TO_REFUND', message: expect.stringContaining('paid elsewhere') }],
    ]);
    const before = await stock();
    await imported(past('OPEN', { status: 'PROCESSING' }));
    const open = await known('OPEN');
    const cancelled = await t.rest('PUT', `${shop.orders}/${open?.id}/status`, {
      as: shop.admin,
      body: { status: 'CANCELLED' },
    });
    expect([cancelled.status, await stock()]).toEqual([200, before]);
    expect(await findingsOf(t.app.services)).toEqual([]);
    // The auditor looks at them as at any other.
    const change = (by: number) =>
      t.db.sql(
        `update orders set total = total + $2, subtotal = subtotal + $2, number = number + 1000 * $2::int where id = $1`,
        [id, by],
      );
    await change(1);
    expect(await findingsOf(t.app.services)).toEqual([
      `order:${id}: subtotal 2051, its lines make 2050`,
      expect.stringMatching(`^business:${shop.businessId}: \\d+ order numbers were given`),
    ]);
    await change(-1);
  });

  it('has a transaction of its own: who checks out waits for the number of one', async () => {
    t.statements.length = 0;
    expect(await imported(past('OWN-1'), past('OWN-2'), past('OWN-3'))).toMatchObject({ done: 3 });
    const steps = t.statements.filter((text) => /^update bulk_operations\s+set position/.test(text));
    expect(steps.length).toBe(3);
  });

  it('comes back for nothing, and gives nothing to stock, whatever is asked', async () => {
    await imported(past('BACK', { email: 'ada@people.example' }));
    const { id = '', lines = [] } = (await known('BACK')) ?? {};
    const before = await stock();
    const at = `${shop.orders}/${id}/returns`;
    const wish = { lines: [{ line: 0, quantity: 2 }] };
    const asked = await t.rest<{ id: string }>('POST', at, { as: ada, body: wish });
    expect([asked.status, lines.length]).toEqual([200, 2]);
    const accept = `${at}/${asked.body.id}/accept`;
    const refused = await t.rest<{ details: object[] }>('POST', accept, { as: shop.admin, body: {} });
    expect([refused.status, refused.body.details]).toMatchObject([422, [{ error: 'NOTHING_TO_REFUND' }]]);
    const accepted = await t.rest('POST', accept, { as: shop.admin, body: { refund: 0 } });
    expect([accepted.status, await stock()]).toEqual([200, before]);
    expect(await findingsOf(t.app.services)).toEqual([]);
  });

  it('says all that is wrong with a line, and changes nothing', async () => {
    const count = (await listed()).length;
    const { id } = await imported(
      past('BAD-1', {
        currency: 'EUR',
        customerId: stranger.userId,
        lines: [{ sku: 'NONE', quantity: 2, unitPrice: 900, totalPrice: 1799 }],
        total: 1,
      }),
      past('BAD-2', { subtotal: 1, discount: 5000, total: 1 }),
      past('BAD-3', { placedAt: 99_999_999_999, status: 'GONE', lines: [{ name: 'x', quantity: 0 }] }),
      { lines: [] },
      past('BAD-4', { lines: [{ name: 'x', quantity: 1_000_000, unitPrice: 9_000_000_000_000_000 }] }),
      past('BAD-5', { email: 'nobody' }),
    );
    expect(await errorsOf(t, shop, id)).toEqual([
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
    expect((await listed()).length).toBe(count);
  });

  it('is never joined to a stranger, nor tells whether there is one', async () => {
    const unproved = await t.person({ email: 'unproved@people.example' });
    await emptyOrder(t, shop, unproved);
    await t.db.prisma.user.update({ where: { id: unproved.userId }, data: { isConfirmed: false } });
    const emails = ['eve@people.example', 'nobody@people.example', 'unproved@people.example'];
    const lines = emails.map((email) => past(`by ${email}`, { email }));
    expect(await imported(...lines)).toMatchObject({ done: 3, failed: 0 });
    for (const email of emails) expect((await known(`by ${email}`))?.customerId).toBeUndefined();
    const { id } = await imported(
      past('X1', { customerId: stranger.userId }),
      past('X2', { customerId: shop.businessId }),
      past('X3', { customerId: 'x' }),
    );
    const faults = await errorsOf(t, shop, id);
    expect(faults.map(([, ...fault]) => fault)).toEqual(
      Array(3).fill(['VALIDATION_FAILED', 'customerId CUSTOMER_NOT_FOUND']),
    );
  });
});

describe.each(['JSONL', 'CSV'])('an export as %s', (format) => {
  it('changes nothing where it came from, and comes into another business once', async () => {
    const content = await exported(t, shop, { resource: 'ORDERS', format });
    const total = (await t.rest<{ items: object[] }>('GET', `${shop.orders}?limit=100`, { as: shop.admin }))
      .body.items.length;
    const again = await done(t, shop, 'imports', { resource: 'ORDERS', format, content });
    // Orders of nothing, which only tests have, are refused.
    expect(again.done + again.failed).toBe(total);
    expect(await exported(t, shop, { resource: 'ORDERS', format })).toBe(content);
    const to = await sellingShop(t);
    const moved = await done(t, to, 'imports', { resource: 'ORDERS', format, content });
    const refused = await errorsOf(t, to, moved.id);
    expect(moved.done + moved.failed).toBe(total);
    for (const [, , ...faults] of refused)
      for (const fault of faults)
        expect(['customerId CUSTOMER_NOT_FOUND', 'lines TOO_SHORT']).toContain(fault);
    const there = await listed(to);
    expect(there.length).toBe(moved.done);
    const here = new Map((await listed()).map((order) => [order.externalReference ?? order.id, order]));
    for (const { externalReference, total, createdAt, lines } of there) {
      const from = here.get(externalReference);
      expect([total, createdAt, lines.map(({ name }) => name)]).toEqual([
        from?.total,
        from?.createdAt,
        from?.lines.map(({ name }) => name),
      ]);
      // Nothing of the other business is led to.
      expect(lines.map(({ productId }) => productId)).not.toContain(pot.productId);
    }
    expect(await done(t, to, 'imports', { resource: 'ORDERS', format, content })).toMatchObject({
      done: moved.done,
    });
    expect((await listed(to)).length).toBe(moved.done);
    expect(await findingsOf(t.app.services)).toEqual([]);
  });
});

it('is once, however many bring it at the same time', async () => {
  const body = { resource: 'ORDERS', content: jsonl(past('RACE-1'), past('RACE-2')) };
  const begun = await Promise.all([1, 2, 3].map(() => begin(t, shop, 'imports', body)));
  const ended = await Promise.all(begun.map(({ id }) => finished(t, shop, id)));
  expect(ended.map(({ done, failed }) => [done, failed])).toEqual(Array(3).fill([2, 0]));
  const references = (await listed()).map(({ externalReference }) => externalReference);
  expect(references.filter((one) => one?.startsWith('RACE')).sort()).toEqual(['RACE-1', 'RACE-2']);
});

it('is the same under an id in capital letters', async () => {
  const { externalReference: _none, ...line } = past('');
  const id = '01900000-0000-7000-8000-00000000abcd';
  await imported({ ...line, id: id.toUpperCase() }, { ...line, id }, { ...line, externalReference: id });
  const all = (await listed()).filter((order) => order.externalReference?.toLowerCase() === id);
  expect(all.map(({ externalReference }) => externalReference)).toEqual([id]);
});

it('is the same under its id, whatever reference stands beside it', async () => {
  const { body: own } = await t.rest<Shown>('POST', shop.orders, {
    as: shop.admin,
    body: { market: 'US', lines: [{ ...pot, quantity: 1 }] },
  });
  const id = '01900000-0000-7000-8000-00000000beef';
  const { externalReference: _none, ...line } = past('');
  await imported({ ...line, id });
  const count = (await listed()).length;
  const again = [
    past('NEW-1', { id: own.id }),
    past('NEW-2', { id }),
    past('NEW-3', { id: own.id.toUpperCase() }),
  ];
  expect(await imported(...again)).toMatchObject({ done: 3, failed: 0 });
  expect((await listed()).length).toBe(count);
  // What another system calls its id is none of ours.
  expect(await imported(past('NEW-4', { id: '17' }), past('NEW-5', { id: '17' }))).toMatchObject({ done: 2 });
  expect((await listed()).length).toBe(count + 2);
});

it('is for those who write orders alone', async () => {
  const body = { resource: 'ORDERS', content: jsonl(past('THEIRS')) };
  const people: [Person | undefined, number][] = [
    [undefined, 401],
    [await t.guest(), 403],
    [ada, 403],
    [other.admin, 403],
    [await t.hire(shop, await t.person(), 'EDITOR'), 403],
    [await t.withApiKey(shop.admin, ['ORDERS_READ']), 403],
    [await t.withApiKey(shop.admin, ['ORDERS_WRITE']), 200],
  ];
  for (const [as, status] of people)
    expect((await t.rest('POST', `${bulkPath(shop)}/imports`, { as, body })).status).toBe(status);
});
