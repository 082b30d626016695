/** Stock ledger: movements by orders, edits and adjustments, permissions, and the invariant that its sum is the stock. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';
import {
  addProduct,
  createSellingShop,
  detailErrors,
  loadStock,
  type SellingShop,
  type SoldProduct,
} from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: SellingShop;
let other: SellingShop;

beforeAll(async () => {
  t = await testApp();
  [shop, other] = [await createSellingShop(t), await createSellingShop(t)];
});

interface Movement {
  id: string;
  variantId: string;
  kind: string;
  change: number;
  balance: number;
}

const pathOf = (sold: SoldProduct, at = shop) => `/v1/businesses/${at.businessId}/products/${sold.productId}`;
const ledger = async (sold: SoldProduct, query = 'limit=100') =>
  (
    await t.rest<{ items: Movement[]; cursor: string | null }>('GET', `${pathOf(sold)}/stock?${query}`, {
      as: shop.admin,
    })
  ).body;
const ledgerEntries = async (sold: SoldProduct) =>
  (await ledger(sold)).items.map(({ kind, change, balance }) => `${kind} ${change} = ${balance}`);
const adjust = (sold: SoldProduct, change: unknown, headers = {}, as: Person | undefined = shop.admin) =>
  t.rest<Movement>('POST', `${pathOf(sold)}/stock`, {
    as,
    headers,
    body: { variantId: sold.variantId, change, reason: 'Counted' },
  });
const put = (sold: SoldProduct, inventory: object) =>
  t.rest('PUT', pathOf(sold), { as: shop.admin, body: { variants: [{ id: sold.variantId, inventory }] } });
const linesOf = (sold: SoldProduct, quantity: number) => [{ ...sold, quantity, unitPrice: 1000 }];
const order = async (sold: SoldProduct, quantity: number) =>
  t.rest<{ id: string }>('POST', shop.orders, {
    as: shop.admin,
    body: { market: 'US', lines: linesOf(sold, quantity) },
  });
const edit = (id: string, sold: SoldProduct, quantity: number) =>
  t.rest('PUT', `${shop.orders}/update`, { as: shop.admin, body: { id, lines: linesOf(sold, quantity) } });
const cancel = (id: string) =>
  t.rest('PUT', `${shop.orders}/${id}/status`, { as: shop.admin, body: { status: 'CANCELLED' } });

describe('stock returned by a cancelled order', () => {
  it('is nothing when the order was placed while stock was not tracked', async () => {
    const sold = await addProduct(t, shop);
    const { body } = await order(sold, 5);
    await put(sold, { quantity: 3 });
    await cancel(body.id);
    expect([await loadStock(t, sold), await ledgerEntries(sold)]).toEqual([3, ['EDIT 3 = 3']]);
  });

  it('is the quantity taken, even when stock is no longer tracked', async () => {
    const sold = await addProduct(t, shop, { stock: 9 });
    const { body } = await order(sold, 5);
    await put(sold, { tracked: false });
    await cancel(body.id);
    expect(await loadStock(t, sold)).toBe(9);
    expect(await ledgerEntries(sold)).toEqual(['CANCEL 5 = 9', 'ORDER -5 = 4', 'INITIAL 9 = 9']);
  });

  it('accounts for edits of the order, which move the difference and return at most the quantity taken', async () => {
    const sold = await addProduct(t, shop);
    const { body } = await order(sold, 5);
    await put(sold, { quantity: 3 });
    expect((await edit(body.id, sold, 7)).status).toBe(200);
    const rejected = await edit(body.id, sold, 9);
    expect([rejected.status, detailErrors(rejected.body)]).toEqual([422, ['lines.0 OUT_OF_STOCK']]);
    expect((await edit(body.id, sold, 1)).status).toBe(200);
    await cancel(body.id);
    expect(await ledgerEntries(sold)).toEqual(['EDIT 2 = 3', 'EDIT -2 = 1', 'EDIT 3 = 3']);
  });
});

describe('adjustments', () => {
  it('change stock by the difference, once per idempotency key, and are recorded in the ledger', async () => {
    const sold = await addProduct(t, shop, { stock: 10 });
    const headers = { 'idempotency-key': newId() };
    const first = await adjust(sold, -4, headers);
    expect([first.status, first.body]).toEqual([
      200,
      {
        id: expect.any(String),
        businessId: shop.businessId,
        ...sold,
        kind: 'ADJUSTMENT',
        change: -4,
        balance: 6,
        reason: 'Counted',
        userId: shop.admin.userId,
        createdAt: expect.any(Number),
      },
    ]);
    expect((await adjust(sold, -4, headers)).body).toEqual(first.body);
    expect((await adjust(sold, -5, headers)).status).toBe(409);
    expect(await loadStock(t, sold)).toBe(6);
    expect((await ledger(sold)).items[0]).toEqual(first.body);
    const page = await ledger(sold, 'limit=1');
    expect(page.items).toEqual([first.body]);
    expect((await ledger(sold, `limit=1&cursor=${page.cursor}`)).items).toMatchObject([
      { kind: 'INITIAL', change: 10, balance: 10 },
    ]);
  });

  it.each([
    ['more than is in stock', -11, 'change OUT_OF_STOCK'],
    ['zero', 0, 'change NO_CHANGE'],
    ['half a unit', 0.5, 'change INVALID_TYPE'],
    ['more than the maximum', 2_147_483_647, 'change TOO_BIG'],
    ['a value that is not a number', 'x', 'change INVALID_TYPE'],
  ])('reject %s and change nothing', async (_label, change, error) => {
    const sold = await addProduct(t, shop, { stock: 10 });
    const answer = await adjust(sold, change);
    expect([answer.status, detailErrors(answer.body)]).toEqual([422, [error]]);
    expect([await loadStock(t, sold), await ledgerEntries(sold)]).toEqual([10, ['INITIAL 10 = 10']]);
  });

  it('reject untracked stock, variants of other products, and viewers who are not staff', async () => {
    const [sold, unlimited] = [await addProduct(t, shop, { stock: 10 }), await addProduct(t, shop)];
    expect(detailErrors((await adjust(unlimited, 1)).body)).toEqual(['variantId STOCK_NOT_TRACKED']);
    const foreignVariant = { productId: sold.productId, variantId: unlimited.variantId };
    expect(detailErrors((await adjust(foreignVariant, 1)).body)).toEqual(['variantId VARIANT_NOT_FOUND']);
    for (const [as, status] of [
      [undefined, 401],
      [await t.guest(), 403],
      [await t.person(), 403],
      [other.admin, 404],
    ] as const) {
      const body = { variantId: sold.variantId, change: 1 };
      expect((await t.rest('POST', `${pathOf(sold)}/stock`, { as, body })).status).toBe(status);
      expect((await t.rest('GET', `${pathOf(sold)}/stock`, { as })).status).toBe(status);
    }
    // Under the path of another shop, as staff of that shop.
    const body = { variantId: sold.variantId, change: 1 };
    const elsewhere = `${pathOf(sold, other)}/stock`;
    expect((await t.rest('POST', elsewhere, { as: other.admin, body })).status).toBe(404);
    expect((await t.rest('GET', elsewhere, { as: other.admin })).status).toBe(404);
    expect(await ledgerEntries(sold)).toEqual(['INITIAL 10 = 10']);
  });

  it('are all applied when they are concurrent', async () => {
    const sold = await addProduct(t, shop, { stock: 10 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => adjust(sold, -1)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const { items } = await ledger(sold);
    expect(items.map(({ balance }) => balance)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });
});

it('records the removal of the remaining stock of a deleted variant', async () => {
  const sold = await addProduct(t, shop, { stock: 4 });
  await t.rest('PUT', pathOf(sold), { as: shop.admin, body: { variants: [{ inventory: { quantity: 2 } }] } });
  expect((await ledgerEntries(sold)).sort()).toEqual(['EDIT -4 = 0', 'INITIAL 2 = 2', 'INITIAL 4 = 4']);
});

it('sums up to the stock after any sequence of operations', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('order' as const), n: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ do: fc.constant('edit' as const), n: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ do: fc.constant('cancel' as const), n: fc.nat(5) }),
    fc.record({ do: fc.constant('adjust' as const), n: fc.integer({ min: -8, max: 8 }) }),
    fc.record({ do: fc.constant('set' as const), n: fc.nat(12) }),
    fc.record({ do: fc.constant('track' as const), n: fc.nat(1) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const sold = await addProduct(t, shop, { stock: 5 });
      const orders: string[] = [];
      for (const { do: action, n } of steps) {
        const open = orders[n % Math.max(1, orders.length)];
        if (action === 'order') {
          const created = await order(sold, n);
          if (created.status === 200) orders.push(created.body.id);
        } else if (action === 'edit' && open) await edit(open, sold, n);
        else if (action === 'cancel' && open) await cancel(open);
        else if (action === 'adjust') await adjust(sold, n);
        else if (action === 'set') await put(sold, { quantity: n });
        else if (action === 'track') await put(sold, { tracked: n === 1 });
      }
      const { items } = await ledger(sold);
      const oldestFirst = items.toReversed();
      const sums = oldestFirst.map((_one, index) =>
        oldestFirst.slice(0, index + 1).reduce((sum, { change }) => sum + change, 0),
      );
      expect(oldestFirst.map(({ balance }) => balance)).toEqual(sums);
      expect(sums.at(-1)).toBe(await loadStock(t, sold));
    }),
    { numRuns: 12 },
  );
});
