/** Subscriber list: filters and sort orders, paged forwards and backwards. */
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { expectedIds, listAllIds, listAllIdsBackwards } from '../support/list-paging.ts';
import { base, createNewsletter, guest, other, shop, subscribe, t } from './setup.ts';

interface Created {
  id: string;
  number: number;
  email: string;
}

let list: string;
let path: string;
let created: Created[];

const emailOf = (number: number) =>
  `${['zoe', 'Ann', 'bob_', 'bob-', 'émile'][number % 5]}${number}@mail.example`;

/** Several subscriptions share a time; the id breaks the tie. */
const changedAt = (number: number) => 2000 + ((number * 7) % 5);

beforeAll(async () => {
  list = await createNewsletter();
  path = `${base}/${list}/subscribers`;
  created = [];
  for (let number = 0; number < 16; number += 1) {
    const email = emailOf(number).replace('é', 'e');
    const { body } = await subscribe({ email, planId: number % 2 ? 'free' : 'zero' }, { list });
    created.push({ id: body.id, number, email });
    await t.db.write(
      `update subscriptions set created_at = $2, updated_at = $4, status = $3::"SubscriptionStatus" where id = $1`,
      [body.id, 1000 + number, number % 3 === 0 ? 'UNSUBSCRIBED' : 'ACTIVE', changedAt(number)],
    );
  }
});

const bytes = ({ email }: Created) => Buffer.from(email.toLowerCase()).toString('hex');
const orders: Record<string, [(subscription: Created) => number | string, boolean]> = {
  NEWEST: [() => 0, true],
  OLDEST: [() => 0, false],
  EMAIL: [bytes, false],
  EMAIL_DESC: [bytes, true],
  UPDATED: [({ number }) => changedAt(number), false],
  UPDATED_DESC: [({ number }) => changedAt(number), true],
};

const filters: Record<string, (subscription: Created) => boolean> = {
  '': () => true,
  'statuses=ACTIVE': ({ number }) => number % 3 !== 0,
  'planId=free': ({ number }) => number % 2 === 1,
  'email=BOB': ({ email }) => email.startsWith('bob'),
  'updatedFrom=2001&updatedTo=2003': ({ number }) => changedAt(number) >= 2001 && changedAt(number) <= 2003,
  'email=%25': () => false,
  'createdFrom=1004&createdTo=1010&statuses=UNSUBSCRIBED,PENDING': ({ number }) =>
    number >= 4 && number <= 10 && number % 3 === 0,
};

it('pages through every sort order with every filter in both directions, at any page size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...Object.keys(orders)),
      fc.constantFrom(...Object.keys(filters)),
      fc.integer({ min: 2, max: 20 }),
      async (sort, filter, limit) => {
        const [key, descending] = orders[sort] ?? [() => 0, true];
        const expected = expectedIds(created, filters[filter] ?? (() => true), key, descending);
        expect(await listAllIds(t, path, `sort=${sort}&${filter}`, limit, shop.admin)).toEqual(expected);
      },
    ),
    { numRuns: 30 },
  );
  for (const [sort, [key, descending]] of Object.entries(orders)) {
    const field = `subscribers(businessId: "${shop.businessId}", collectionId: "${list}", sort: ${sort}, filter: { planId: "free" }, last: $last, before: $before)`;
    expect(await listAllIdsBackwards(t, field, 3, shop.admin), sort).toEqual(
      expectedIds(created, ({ number }) => number % 2 === 1, key, descending),
    );
  }
});

it.each(Object.keys(orders))(
  'needs the same number of statements by %s for any page size and depth',
  async (sort) => {
    const cost = async (more: string) => {
      t.statements.length = 0;
      const query = `${path}?sort=${sort}&statuses=ACTIVE&${more}`;
      const { body } = await t.rest<{ cursor: string | null }>('GET', query, { as: shop.admin });
      return { statements: t.statements.length, cursor: body.cursor };
    };
    const [single, page] = [await cost('limit=1'), await cost('limit=8')];
    const deep = await cost(`limit=1&cursor=${single.cursor}`);
    expect([single.statements, deep.statements]).toEqual([page.statements, page.statements]);
  },
);

it('requires staff of the business', async () => {
  const status = async (as: typeof guest) =>
    (await t.rest('GET', `${path}?sort=EMAIL&email=bob`, { as })).status;
  expect([await status(guest), await status(other.admin), await status(shop.admin)]).toEqual([403, 404, 200]);
  const invalid = await t.rest('GET', `${path}?sort=NAME`, { as: shop.admin });
  expect([invalid.status, invalid.body]).toMatchObject([422, { details: [{ field: 'sort' }] }]);
});
