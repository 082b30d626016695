/** Filters and sort orders of entry lists: values, relationships, locales and dates, paginated in both directions. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectedIds, listAllIds, listAllIdsBackwards } from '../support/list-paging.ts';
import { base, createEntry, entries, guest, other, shop, t } from './setup.ts';

interface CreatedEntry {
  id: string;
  number: number;
  updated: number;
}

let created: CreatedEntry[];
let target: string;
const count = 18;
const topics = ['news', 'art: old', 'a,b'];

beforeAll(async () => {
  const { body: product } = await t.rest<{ id: string }>('POST', `${base}/products`, {
    as: shop.admin,
    body: { name: 'Pot', variants: [] },
  });
  target = product.id;
  const { body: collection } = await t.rest<{ id: string }>('POST', `${base}/collections`, {
    as: shop.admin,
    body: {
      name: 'Findable',
      blocks: [
        { id: 'title', type: 'TEXT' },
        { id: 'topic', type: 'SELECT', settings: { options: topics } },
        { id: 'tags', type: 'MULTI_SELECT' },
        { id: 'rating', type: 'NUMBER' },
        { id: 'pinned', type: 'BOOLEAN' },
        { id: 'about', type: 'RELATIONSHIP', settings: { targetType: 'PRODUCT' } },
      ],
    },
  });
  created = [];
  for (let number = 0; number < count; number += 1) {
    const answer = await createEntry({
      collectionId: collection.id,
      locale: number % 2 ? 'en' : 'de-AT',
      status: number % 6 === 5 ? 'DRAFT' : 'PUBLISHED',
      blocks: [
        { id: 'title', type: 'TEXT', value: { en: `Number ${number % 4}`, de: 'Nummer' } },
        { id: 'topic', type: 'SELECT', value: topics[number % 3] },
        { id: 'tags', type: 'MULTI_SELECT', value: number % 2 ? ['x', 'y'] : ['y'] },
        { id: 'rating', type: 'NUMBER', value: (number % 5) / 2 },
        { id: 'pinned', type: 'BOOLEAN', value: number % 4 === 0 },
        ...(number % 3 === 0 ? [{ id: 'about', type: 'RELATIONSHIP', value: target.toUpperCase() }] : []),
      ],
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    created.push({ id: answer.body.id, number, updated: 5000 - (number % 5) });
  }
  for (const { id, number, updated } of created)
    await t.db.write('update entries set created_at = $2, updated_at = $3 where id = $1', [
      id,
      1000 + number,
      updated,
    ]);
});

const orders: Record<string, [(entry: CreatedEntry) => number, boolean]> = {
  NEWEST: [() => 0, true],
  OLDEST: [() => 0, false],
  UPDATED: [({ updated }) => updated, false],
  UPDATED_DESC: [({ updated }) => updated, true],
};

const filters: Record<string, (number: number) => boolean> = {
  '': () => true,
  'blocks=topic:news': (number) => number % 3 === 0,
  'blocks=%5B%22topic:a,b%22,%22topic:art:%20old%22%5D': (number) => number % 3 !== 0,
  'blocks=tags:x,pinned:false': (number) => number % 2 === 1,
  'blocks=rating:1.5': (number) => number % 5 === 3,
  'blocks=title:Nummer': () => true,
  'blocks=title:Number%202': (number) => number % 4 === 2,
  'blocks=title:number%202': () => false,
  'locales=en,fr': (number) => number % 2 === 1,
  'createdFrom=1003&createdTo=1009': (number) => number >= 3 && number <= 9,
  'updatedTo=4998&blocks=pinned:true': (number) => number % 5 >= 2 && number % 4 === 0,
};

describe('every order with every filter', () => {
  it('paginates the sorted list in both directions at any page size, with drafts for staff only', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(orders)),
        fc.constantFrom(...Object.keys(filters)),
        fc.integer({ min: 2, max: 20 }),
        fc.boolean(),
        async (sort, filter, limit, staff) => {
          const [key, descending] = orders[sort] ?? [() => 0, true];
          const fits = ({ number }: CreatedEntry) =>
            Boolean(filters[filter]?.(number)) && (staff || number % 6 !== 5);
          const as = staff ? shop.admin : guest;
          expect(await listAllIds(t, entries, `sort=${sort}&${filter}`, limit, as)).toEqual(
            expectedIds(created, fits, key, descending),
          );
        },
      ),
      { numRuns: 40 },
    );
    for (const [sort, [key, descending]] of Object.entries(orders)) {
      const field = `entries(businessId: "${shop.businessId}", sort: ${sort}, filter: { blocks: ["topic:news"] }, last: $last, before: $before)`;
      expect(await listAllIdsBackwards(t, field, 2, shop.admin), sort).toEqual(
        expectedIds(created, ({ number }) => number % 3 === 0, key, descending),
      );
    }
  });

  it('finds entries with a relationship to a record, and reflects updates and deletes', async () => {
    const related = () => listAllIds(t, entries, `relatedTo=${target.toUpperCase()}`, 4, shop.admin);
    const expected = expectedIds(
      created,
      ({ number }) => number % 3 === 0,
      () => 0,
      true,
    );
    expect(await related()).toEqual(expected);
    const [first = '', ...rest] = expected;
    const change = await t.rest('PUT', `${entries}/${first}`, {
      as: shop.admin,
      body: { blocks: [{ id: 'title', type: 'TEXT', value: 'Passing' }] },
    });
    expect(change.status, JSON.stringify(change.body)).toBe(200);
    expect(await related()).toEqual(rest);
    expect(await listAllIds(t, entries, 'blocks=title:Passing', 4, shop.admin)).toEqual([first]);
    await t.rest('DELETE', `${entries}/${first}`, { as: shop.admin });
    expect(await t.db.sql('select block from entry_values where entry_id = $1', [first])).toEqual([]);
    created = created.filter(({ id }) => id !== first);
  });

  it.each([
    ['blocks=topic', 'blocks.0', 'INVALID_FORMAT'],
    ['sort=TITLE', 'sort', 'INVALID_VALUE'],
    ['createdTo=soon', 'createdTo', 'INVALID_TYPE'],
  ])('rejects %s with 422', async (query, field, error) => {
    const answer = await t.rest('GET', `${entries}?${query}`, { as: guest });
    expect([answer.status, answer.body]).toMatchObject([422, { details: [{ field, error }] }]);
  });

  it.each(['blocks=topic:news', `sort=UPDATED&inLocales=en`, 'sort=OLDEST&createdFrom=1'])(
    '%s uses a constant number of SQL statements for any page size and depth',
    async (query) => {
      const cost = async (more: string) => {
        t.statements.length = 0;
        const path = `${entries}?${query}&${more}`;
        const { body } = await t.rest<{ cursor: string | null }>('GET', path, { as: shop.admin });
        return { statements: t.statements.length, cursor: body.cursor };
      };
      await cost('limit=100');
      const [single, many] = [await cost('limit=1'), await cost('limit=4')];
      const deep = await cost(`limit=1&cursor=${single.cursor}`);
      expect([single.statements, deep.statements]).toEqual([many.statements, many.statements]);
    },
  );

  it('never returns entries of other businesses', async () => {
    const otherEntries = `/v1/businesses/${other.businessId}/entries`;
    expect(await listAllIds(t, otherEntries, `relatedTo=${target}`, 5, other.admin)).toEqual([]);
    expect(await listAllIds(t, otherEntries, 'blocks=topic:news', 5, other.admin)).toEqual([]);
    expect(await listAllIds(t, entries, 'blocks=topic:news&status=DRAFT', 5, other.admin)).toEqual([]);
  });
});
