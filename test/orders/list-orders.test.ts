/** Filtering, sorting and pagination of orders in both directions, limited to orders that the viewer may see. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import { expectedIds, listAllIds, listAllIdsBackwards } from '../support/list-paging.ts';
import { customer, other, shop, t } from './setup.ts';

interface SampleOrder {
  id: string;
  number: number;
  /** Order number; deliberately not in creation order. */
  orderNumber: number;
  total: number;
  updated: number;
}

let samples: SampleOrder[];
const count = 24;

beforeAll(async () => {
  await t.db.write(`delete from orders where business_id = $1`, [shop.businessId]);
  const buyer = await t.guest();
  for (let number = 0; number < count; number += 1)
    await createEmptyOrder(t, shop, number % 4 === 0 ? customer : buyer);
  const rows = await t.db.sql<{ id: string }>('select id from orders where business_id = $1 order by id', [
    shop.businessId,
  ]);
  samples = rows.map(({ id }, number) => ({
    id,
    number,
    orderNumber: 5000 + ((number * 7) % count),
    total: 100 * (number % 5),
    updated: 2000 - (number % 7),
  }));
  for (const { id, number, orderNumber, total, updated } of samples)
    await t.db.write(
      `update orders set total = $2, subtotal = $2, updated_at = $3, created_at = $4, currency = $5, market = $6, number = $8,
         payment_statuses = jsonb_build_array(jsonb_build_object('id', 'x', 'status', $7::text, 'changedBy', 'SYSTEM', 'timestamp', 1)) where id = $1`,
      [
        id,
        total,
        updated,
        1000 + number,
        ...(number % 2 ? ['EUR', 'eu'] : ['USD', 'US']),
        paid(number),
        orderNumber,
      ],
    );
});

const paid = (number: number) => (number % 3 === 0 ? 'PAID' : 'PENDING');

const sorts: Record<string, [(one: SampleOrder) => number, boolean]> = {
  NEWEST: [() => 0, true],
  OLDEST: [() => 0, false],
  NUMBER: [({ orderNumber }) => orderNumber, false],
  NUMBER_DESC: [({ orderNumber }) => orderNumber, true],
  TOTAL: [({ total }) => total, false],
  TOTAL_DESC: [({ total }) => total, true],
  UPDATED: [({ updated }) => updated, false],
  UPDATED_DESC: [({ updated }) => updated, true],
};

const filters: Record<string, (one: SampleOrder) => boolean> = {
  '': () => true,
  'minTotal=100&maxTotal=300': ({ total }) => total >= 100 && total <= 300,
  'paymentStatuses=PAID': ({ number }) => paid(number) === 'PAID',
  'statuses=CANCELLED': () => false,
  'market=Eu': ({ number }) => number % 2 === 1,
  'currency=usd': ({ number }) => number % 2 === 0,
  'createdFrom=1005&createdTo=1015': ({ number }) => number >= 5 && number <= 15,
  'updatedTo=1997&minTotal=1': ({ updated, total }) => updated <= 1997 && total > 0,
};

describe('orders', () => {
  it('returns the complete sorted list forwards and backwards, for every filter, sort and page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(sorts)),
        fc.constantFrom(...Object.keys(filters)),
        fc.integer({ min: 3, max: 25 }),
        async (sort, filter, limit) => {
          const [key, descending] = sorts[sort] ?? [() => 0, true];
          const expected = expectedIds(samples, filters[filter] ?? (() => true), key, descending);
          expect(await listAllIds(t, shop.orders, `sort=${sort}&${filter}`, limit, shop.admin)).toEqual(
            expected,
          );
        },
      ),
      { numRuns: 40 },
    );
    for (const [sort, [key, descending]] of Object.entries(sorts)) {
      const field = `orders(businessId: "${shop.businessId}", sort: ${sort}, filter: { minTotal: 100 }, last: $last, before: $before)`;
      const expected = expectedIds(samples, ({ total }) => total >= 100, key, descending);
      expect(await listAllIdsBackwards(t, field, 4, shop.admin), sort).toEqual(expected);
    }
  });

  it('shows customers only their own orders, and nothing of other businesses', async () => {
    const own = expectedIds(
      samples,
      ({ number }) => number % 4 === 0,
      ({ total }) => total,
      true,
    );
    expect(await listAllIds(t, shop.orders, 'sort=TOTAL_DESC&minTotal=0', 5, customer)).toEqual(own);
    const named = `sort=TOTAL_DESC&customerId=${customer.userId}`;
    expect(await listAllIds(t, shop.orders, named, 5, shop.admin)).toEqual(own);
    expect(await listAllIds(t, shop.orders, named, 5, other.admin)).toEqual([]);
    for (const query of ['sort=UPDATED&minTotal=0', 'sort=NUMBER', 'sort=NUMBER_DESC&minTotal=0'])
      expect(await listAllIds(t, shop.orders, query, 5, other.admin)).toEqual([]);
    const orderNumber = expectedIds(
      samples,
      ({ number }) => number % 4 === 0,
      ({ orderNumber }) => orderNumber,
      false,
    );
    expect(await listAllIds(t, shop.orders, 'sort=NUMBER', 2, customer)).toEqual(orderNumber);
  });

  it.each([
    ['minTotal=-1', 'minTotal', 'TOO_SMALL'],
    ['maxTotal=x', 'maxTotal', 'INVALID_TYPE'],
    ['paymentStatuses=MAYBE', 'paymentStatuses.0', 'INVALID_VALUE'],
    ['sort=SIDEWAYS', 'sort', 'INVALID_VALUE'],
    ['sort=TOTAL&cursor=forged', 'cursor', 'INVALID_CURSOR'],
  ])('rejects %s with 422', async (query, field, error) => {
    const answer = await t.rest('GET', `${shop.orders}?${query}`, { as: shop.admin });
    expect([answer.status, answer.body]).toMatchObject([422, { details: [{ field, error }] }]);
  });

  it('rejects a cursor with another filter or sort order', async () => {
    const { body } = await t.rest<{ cursor: string }>('GET', `${shop.orders}?sort=TOTAL&limit=2`, {
      as: shop.admin,
    });
    for (const query of ['sort=TOTAL_DESC', 'sort=TOTAL&minTotal=1', ''])
      expect(
        (await t.rest('GET', `${shop.orders}?${query}&cursor=${body.cursor}`, { as: shop.admin })).status,
      ).toBe(422);
  });

  it('executes as many statements as an unfiltered page', async () => {
    const cost = async (query: string) => {
      await t.rest('GET', `${shop.orders}?${query}`, { as: shop.admin });
      t.statements.length = 0;
      await t.rest('GET', `${shop.orders}?${query}`, { as: shop.admin });
      return t.statements.length;
    };
    const plain = await cost('');
    for (const query of [
      'sort=TOTAL&minTotal=100&market=US',
      'sort=NUMBER',
      'sort=NUMBER_DESC&statuses=PENDING',
    ])
      expect([query, await cost(query)]).toEqual([query, plain]);
  });
});
