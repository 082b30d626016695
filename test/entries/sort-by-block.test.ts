/** Sort order BLOCK: typed comparison, stable pagination in both directions, missing values last, drafts ignored. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { listAllIds, listAllIdsBackwards } from '../support/list-paging.ts';
import { base, createCollection, createEntry, editor, entries, guest, other, shop, t } from './setup.ts';

interface CreatedEntry {
  id: string;
  number: number;
  isDraft: boolean;
  locale: string;
  values: Record<string, unknown>;
}

const blocks = {
  title: { type: 'TEXT' },
  name: { type: 'TEXT' },
  size: { type: 'NUMBER' },
  day: { type: 'DATE' },
  pinned: { type: 'BOOLEAN' },
  topic: { type: 'SELECT' },
};
const sizes = [0, -0.5, 1e300, -1e300, 10, 9, 0.1, -0.1, -10, 2 ** 53, 5e-324];
const titles = ['beta', 'Alpha', 'alpha 2', 'Zoë', 'zoe', '10', '9', 'ä'];

let created: CreatedEntry[];
let collectionId: string;
let query: string;

const valuesOf = (number: number) => ({
  title: { en: titles[number % 8], de: titles[(number + 3) % 8] },
  name: number % 3 ? titles[number % 5] : undefined,
  size: number % 4 ? sizes[number % 11] : undefined,
  day: number % 5 ? (number % 3) * 86_400 - 86_400 : undefined,
  pinned: number % 6 ? number % 2 === 0 : undefined,
  topic: number % 7 ? ['b', 'a'][number % 2] : undefined,
});

beforeAll(async () => {
  collectionId = (
    await createCollection({
      name: 'Sortable',
      blocks: [
        ...Object.entries(blocks).map(([id, block]) => ({ id, ...block })),
        { id: 'none', type: 'NUMBER' },
        { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
        { id: 'tags', type: 'MULTI_SELECT' },
        { id: 'where', type: 'GEO_LOCATION' },
      ],
      status: 'PUBLISHED',
    })
  ).id;
  query = `collectionId=${collectionId}`;
  created = [];
  for (let number = 0; number < 26; number += 1) {
    const values: Record<string, unknown> = valuesOf(number);
    const [locale, isDraft] = [number % 2 ? 'en' : 'de-AT', number % 5 === 4];
    const { body, status } = await createEntry({
      collectionId,
      locale,
      status: isDraft ? 'DRAFT' : 'PUBLISHED',
      blocks: Object.entries(blocks)
        .filter(([id]) => values[id] !== undefined)
        .map(([id, { type }]) => ({ id, type, value: values[id] })),
    });
    expect(status, JSON.stringify(body)).toBe(200);
    created.push({ id: body.id, number, isDraft, locale, values });
  }
});

function keyOf({ values, locale }: CreatedEntry, block: string): number | string | undefined {
  const value =
    block === 'title' ? (values.title as Record<string, string>)[locale.slice(0, 2)] : values[block];
  return typeof value === 'boolean' ? Number(value) : (value as number | string | undefined);
}

const bytes = (key: number | string) =>
  typeof key === 'string' ? Buffer.from(key.toLowerCase()).toString('hex') : key;

/** Expected order: entries with a value by value, then entries without; equal values by age, in the same direction. */
function expected(block: string, descending: boolean, fits: (entry: CreatedEntry) => boolean): string[] {
  const of = (has: boolean) =>
    created.filter((entry) => fits(entry) && (keyOf(entry, block) !== undefined) === has);
  const valued = of(true).sort((a, b) => {
    const [first, second] = [a, b].map((entry) => bytes(keyOf(entry, block) ?? 0)) as [number, number];
    return first < second ? -1 : first > second ? 1 : a.number - b.number;
  });
  return [valued, of(false)].flatMap((part) => (descending ? part.reverse() : part)).map(({ id }) => id);
}

const everyBlock = [...Object.keys(blocks), 'none'];

describe('sorting by each sortable block', () => {
  it('returns the same order at any page size, with drafts for staff only', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...everyBlock),
        fc.boolean(),
        fc.integer({ min: 2, max: 30 }),
        fc.boolean(),
        fc.constantFrom('', '&locale=en', '&blocks=topic:a'),
        async (block, descending, limit, staff, filter) => {
          const fits = ({ isDraft, locale, values }: CreatedEntry) =>
            (staff || !isDraft) &&
            (filter !== '&locale=en' || locale === 'en') &&
            (filter !== '&blocks=topic:a' || values.topic === 'a');
          const sort = `${query}&sort=BLOCK${descending ? '_DESC' : ''}&sortBlock=${block}${filter}`;
          expect(await listAllIds(t, entries, sort, limit, staff ? editor : guest)).toEqual(
            expected(block, descending, fits),
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each(everyBlock)('%s: returns the same order backwards and between two cursors', async (block) => {
    const field = (more: string) =>
      `entries(businessId: "${shop.businessId}", collectionId: "${collectionId}", sort: BLOCK_DESC, sortBlock: "${block}", ${more})`;
    const all = expected(block, true, () => true);
    expect(await listAllIdsBackwards(t, field('last: $last, before: $before'), 5, editor)).toEqual(all);
    const queryEdges = async (more: string) => {
      const { data } = await t.graphql(
        `{ ${field(more)} { edges { cursor node { id } } } }`,
        {},
        { as: editor },
      );
      return (data as never as { entries: { edges: { cursor: string; node: { id: string } }[] } }).entries
        .edges;
    };
    const edges = await queryEdges('first: 50');
    const [start, end] = [edges[1]?.cursor, edges.at(-2)?.cursor];
    const between = await queryEdges(`first: 50, after: "${start}", before: "${end}"`);
    expect(between.map(({ node }) => node.id)).toEqual(all.slice(2, -2));
    expect(await queryEdges(`first: 50, after: "${end}", before: "${start}"`)).toEqual([]);
  });

  it('uses a constant number of SQL statements for any page size and depth', async () => {
    const cost = async (more: string) => {
      t.statements.length = 0;
      const path = `${entries}?${query}&sort=BLOCK&sortBlock=size&${more}`;
      const { body } = await t.rest<{ cursor: string | null }>('GET', path, { as: editor });
      return { statements: t.statements.length, cursor: body.cursor };
    };
    await cost('limit=100');
    const [single, many, most] = [await cost('limit=1'), await cost('limit=4'), await cost('limit=22')];
    const [deep, deepest] = [
      await cost(`limit=1&cursor=${single.cursor}`),
      await cost(`limit=1&cursor=${most.cursor}`),
    ];
    expect([single, most, deep, deepest].map(({ statements }) => statements)).toEqual(
      Array(4).fill(many.statements),
    );
  });
});

it('reflects entry updates, and ignores drafts until they are published', async () => {
  const { id } = await createCollection({ blocks: [{ id: 'rank', type: 'NUMBER' }], status: 'PUBLISHED' });
  const rank = (value: number) => [{ id: 'rank', type: 'NUMBER', value }];
  const createRanked = async (value: number) =>
    (await createEntry({ collectionId: id, status: 'PUBLISHED', blocks: rank(value) })).body.id;
  const [first, second] = [await createRanked(1), await createRanked(2)];
  const listedIds = () => listAllIds(t, entries, `collectionId=${id}&sort=BLOCK&sortBlock=rank`, 5, guest);
  await t.rest('PUT', `${entries}/${first}/draft`, { as: editor, body: { blocks: rank(3) } });
  expect(await listedIds()).toEqual([first, second]);
  await t.rest('POST', `${entries}/${first}/draft/publish`, { as: editor, body: {} });
  expect(await listedIds()).toEqual([second, first]);
  await t.rest('PUT', `${entries}/${second}`, { as: editor, body: { blocks: [] } });
  expect(await listedIds()).toEqual([first, second]);
  // Numbers stored before the block became TEXT have no sort key of the new type.
  await t.rest('PUT', `${base}/collections/${id}`, {
    as: editor,
    body: { blocks: [{ id: 'rank', type: 'TEXT' }] },
  });
  expect(await listedIds()).toEqual([first, second]);
  await t.rest('DELETE', `${entries}/${first}`, { as: editor });
  expect(await t.db.sql('select 1 from entry_sort_keys where entry_id = $1', [first])).toEqual([]);
});

describe('invalid sort arguments', () => {
  const listWith = async (more: string, as = guest) => {
    const { status, body } = await t.rest<{ items?: object[]; details?: { field: string; error: string }[] }>(
      'GET',
      `${entries}?${more}`,
      { as },
    );
    return [status, body.items ?? body.details?.map(({ field, error }) => `${field} ${error}`)];
  };

  it.each([
    ['sortBlock=nothing', 'sortBlock UNKNOWN_BLOCK'],
    ['sortBlock=body', 'sortBlock BLOCK_NOT_SORTABLE'],
    ['sortBlock=tags', 'sortBlock BLOCK_NOT_SORTABLE'],
    ['sortBlock=where', 'sortBlock BLOCK_NOT_SORTABLE'],
    ['', 'sortBlock REQUIRED'],
  ])('rejects %s with 422', async (more, code) => {
    expect(await listWith(`${query}&sort=BLOCK&${more}`)).toEqual([422, [code]]);
  });

  it('requires the collection, and rejects sortBlock with another sort order', async () => {
    expect(await listWith('sort=BLOCK')).toEqual([422, ['sortBlock REQUIRED', 'collectionId REQUIRED']]);
    expect(await listWith(`${query}&sort=UPDATED&sortBlock=size`)).toEqual([
      422,
      ['sortBlock INVALID_VALUE'],
    ]);
    const owned = `owner=collection:${collectionId}&sort=BLOCK&sortBlock=size`;
    expect(await listAllIds(t, entries, owned, 30, guest)).toEqual(
      expected('size', false, ({ isDraft }) => !isDraft),
    );
  });

  it('applies both collectionId and owner when both are given', async () => {
    const { id } = await createCollection({ status: 'PUBLISHED' });
    const sorted = `${query}&sort=BLOCK&sortBlock=size&owner=`;
    expect((await listWith(`${sorted}collection:${collectionId}&limit=100`))[1]).toHaveLength(
      created.filter(({ isDraft }) => !isDraft).length,
    );
    for (const owner of [`collection:${id}`, `order:${id}`])
      expect(await listWith(`${sorted}${owner}`)).toEqual([200, []]);
    expect(await listWith(`${sorted}nobody`)).toEqual([422, ['owner INVALID_OWNER']]);
  });

  it('resolves the collection within the business by id, slug or slug triple', async () => {
    const { id, slug } = await createCollection({
      blocks: [{ id: 'rank', type: 'NUMBER' }],
      status: 'PUBLISHED',
    });
    const ranked: string[] = [];
    for (const value of [2, 1])
      ranked.unshift(
        (
          await createEntry({
            collectionId: id,
            status: 'PUBLISHED',
            blocks: [{ id: 'rank', type: 'NUMBER', value }],
          })
        ).body.id,
      );
    const addresses = [id, id.toUpperCase(), slug, `${shop.businessId}:en:${slug}`];
    for (const address of [
      ...addresses,
      `${shop.businessId.toUpperCase()}:en:${slug}`,
      `${other.businessId}:en:${slug}`,
    ])
      for (const sort of ['sort=BLOCK&sortBlock=rank', 'sort=NEWEST', 'sort=UPDATED_DESC'])
        for (const by of [`collectionId=${address}`, `owner=collection:${address}`])
          expect(await listAllIds(t, entries, `${by}&${sort}`, 5, guest), `${by} ${sort}`).toEqual(
            address.startsWith(other.businessId) ? [] : ranked,
          );
  });

  it('returns an empty list for collections that the caller may not see', async () => {
    const hidden = await createCollection({ blocks: [{ id: 'secret', type: 'NUMBER' }], status: 'DRAFT' });
    await createEntry({ collectionId: hidden.id, status: 'PUBLISHED', blocks: [] });
    for (const block of ['secret', 'nothing'])
      for (const [address, as] of [
        [hidden.id, guest],
        [hidden.slug, other.admin],
        ['no-such', guest],
      ] as const)
        expect(await listWith(`collectionId=${address}&sort=BLOCK&sortBlock=${block}`, as)).toEqual([
          200,
          [],
        ]);
    expect(await listWith(`collectionId=${hidden.id}&sort=BLOCK&sortBlock=nothing`, editor)).toEqual([
      422,
      ['sortBlock UNKNOWN_BLOCK'],
    ]);
  });
});
