/** Fuzzy product search, facets, suggestions and highlights. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createWordMatcher,
  highlightExcerpt,
  highlightMatches,
} from '../../src/domains/products/search/split-into-highlighted-pieces.ts';
import { type Person, type Shop, testApp } from '../support/app.ts';
import { longestTickMs } from '../support/event-loop-blocking.ts';
import { create, guest, list, shop, t } from './setup.ts';

let store: Shop;
const price = (amount: number) => ({ markets: [{ marketId: 'US', currency: 'USD', price: amount }] });
const mug = (
  name: string,
  category: string,
  amount: number,
  colour: string,
  quantity: number,
  more = {},
) => ({
  name,
  category,
  description: `${name} for every kitchen`,
  variants: [
    { pricing: price(amount), attributes: [{ name: 'colour', value: colour }], inventory: { quantity } },
  ],
  ...more,
});

beforeAll(async () => {
  store = await t.shop();
  await create(mug('Espresso cup', 'cups', 1000, 'white', 4), store);
  await create(mug('House espresso', 'coffee', 2000, 'dark', 0), store);
  await create(mug('Kettle', 'kitchen', 6000, 'white', 1), store);
  await create(mug('Show kitchen', 'kitchen', 6000, 'white', 1), store);
  await create(mug('Secret espresso', 'hidden', 9999, 'gold', 1, { status: 'DRAFT' }), store);
  // A draft that matches a mistyped query below exactly: it must not suppress the fuzzy matches of other viewers.
  await create(mug('Kettel', 'hidden', 9999, 'gold', 1, { status: 'DRAFT' }), store);
  await create(mug('Espresso of others', 'elsewhere', 1, 'pink', 1), shop);
});

const names = async (query: string, as: Person = guest) =>
  (await list(query, as, store)).body.items.map(({ name }) => name);

describe('search', () => {
  it.each([
    ['query=esspreso', ['House espresso', 'Espresso cup']],
    ['query=expresso', ['House espresso', 'Espresso cup']],
    ['query=cups', ['Espresso cup']],
    ['query=the%20esspreso%20cup', ['Espresso cup']],
    ['query=kettel', ['Kettle']],
    ['query=kitchens%20kettel', ['Kettle']],
    ['query=shoe', []],
    ['query=ucp', ['Espresso cup']],
    ['query=shwo', ['Show kitchen']],
    ['query=ketlte', ['Kettle']],
    ['query=huose%20esspreso', ['House espresso']],
    ['query=kettle%20ucp', []],
    // Two letters swapped twice, swapped letters of a description, and of a stop word.
    ['query=pcu', []],
    ['query=eveyr', []],
    ['query=ofr', []],
    ['query=esspreso&sort=RELEVANCE&inStock=true', ['Espresso cup']],
    ['query=kettle%20%27%29%3B--', ['Kettle']],
    ['query=%25%5F&sort=RELEVANCE', []],
  ])('finds the products for %s', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('sorts by relevance across pages', async () => {
    expect(await names('query=espresso%20cup&sort=RELEVANCE')).toEqual(['Espresso cup']);
    const first = await list('query=kitchen&sort=RELEVANCE&limit=1', guest, store);
    expect(first.body.items[0]?.name).toBe('Show kitchen');
    const seen = [first.body.items[0]?.name];
    for (let { cursor } = first.body; cursor; ) {
      const { body } = await list(`query=kitchen&sort=RELEVANCE&limit=1&cursor=${cursor}`, guest, store);
      seen.push(...body.items.map(({ name }) => name));
      cursor = body.cursor;
    }
    expect([...seen].sort()).toEqual(['Espresso cup', 'House espresso', 'Kettle', 'Show kitchen']);
  });

  it('includes drafts in list, facets and suggestions for staff only', async () => {
    expect(await names('query=esspreso', store.admin)).toHaveLength(3);
    const path = `/v1/businesses/${store.businessId}`;
    for (const [as, sees] of [
      [store.admin, true],
      [guest, false],
      [shop.admin, false],
    ] as const) {
      const facets = await t.rest('GET', `${path}/product-facets`, { as });
      const suggested = await t.rest('GET', `${path}/product-suggestions?text=secret`, { as });
      const categories = await t.rest('GET', `${path}/product-suggestions?text=hid`, { as });
      const responses = JSON.stringify([facets.body, suggested.body, categories.body]);
      for (const word of ['hidden', 'gold', '9999', 'Secret'])
        expect(responses.includes(word), word).toBe(sees);
      for (const word of ['elsewhere', 'pink', 'others']) expect(responses).not.toContain(word);
    }
  });
});

describe('facets', () => {
  const facets = (query: string) =>
    t.rest('GET', `/v1/businesses/${store.businessId}/product-facets?${query}`, { as: guest });

  it('count the whole result with one additional statement', async () => {
    t.statements.length = 0;
    const { body } = await facets('market=us');
    expect(t.statements.length).toBeLessThanOrEqual(3);
    expect(body).toEqual({
      categories: [
        { value: 'kitchen', count: 2 },
        { value: 'coffee', count: 1 },
        { value: 'cups', count: 1 },
      ],
      attributes: [
        {
          name: 'colour',
          values: [
            { value: 'white', count: 3 },
            { value: 'dark', count: 1 },
          ],
        },
      ],
      prices: [
        {
          market: 'us',
          min: 1000,
          max: 6000,
          ranges: [
            { min: 1000, max: 1999, count: 1 },
            { min: 2000, max: 3999, count: 1 },
            { min: 6000, max: 6000, count: 2 },
          ],
        },
      ],
      inStock: 3,
      outOfStock: 1,
      categoryTree: [],
    });
  });

  it('respect filter and search', async () => {
    expect((await facets('query=esspreso&inStock=false')).body).toMatchObject({
      categories: [{ value: 'coffee', count: 1 }],
      prices: [{ market: 'us', min: 2000, max: 2000, ranges: [{ min: 2000, max: 2000, count: 1 }] }],
      inStock: 0,
      outOfStock: 1,
    });
    expect((await facets('query=nothing')).body).toMatchObject({ categories: [], prices: [], inStock: 0 });
    expect((await facets('minPrice=1')).status).toBe(422);
  });

  it('are the same in the products connection of a business', async () => {
    const { body } = await facets('');
    const { data, errors } = await t.graphql(
      `query ($id: ID!) { business(id: $id) { products {
        facets { categories { value count } categoryTree { count } attributes { name values { value count } }
          prices { market min max ranges { min max count } } inStock outOfStock }
        highlights { productId }
      } } }`,
      { id: store.businessId },
      { as: guest },
    );
    expect({ data, errors }).toEqual({
      data: { business: { products: { facets: body, highlights: [] } } },
      errors: [],
    });
  });
});

describe('suggestions', () => {
  const suggest = async (query: string) =>
    (
      await t.rest<{ suggestions: { kind: string; text: string }[] }>(
        'GET',
        `/v1/businesses/${store.businessId}/product-suggestions?${query}`,
        { as: guest },
      )
    ).body.suggestions?.map(({ kind, text }) => `${kind} ${text}`);

  it.each([
    ['text=c', ['CATEGORY coffee', 'CATEGORY cups']],
    ['text=es', ['PRODUCT Espresso cup']],
    ['text=ESP', ['PRODUCT Espresso cup', 'PRODUCT House espresso']],
    ['text=esspreso', ['PRODUCT House espresso', 'PRODUCT Espresso cup']],
    ['text=esp&limit=1', ['PRODUCT Espresso cup']],
    ['text=ucp', ['PRODUCT Espresso cup']],
    ['text=zzz', []],
    ['text=%25', []],
  ])('are found for %s', async (query, expected) => {
    expect([...((await suggest(query)) ?? [])].sort()).toEqual([...expected].sort());
  });

  it('require a text', async () => expect(await suggest('text=')).toBeUndefined());
});

describe('highlights', () => {
  const marked = (pieces: { text: string; matches: boolean }[]) =>
    pieces.map(({ text, matches }) => (matches ? `[${text}]` : text)).join('');

  it.each([
    ['Espresso cups', ['esspreso', 'cup'], '[Espresso] [cups]'],
    ['A cup & <b>saucer</b>', ['cups'], 'A [cup] & <b>saucer</b>'],
    ['Running shoes', ['run'], '[Running] shoes'],
    ['Hats and a shot from home', ['hta', 'form'], '[Hats] and a shot from home'],
    ['Show', ['shoe'], 'Show'],
    ['', ['x'], ''],
  ])('mark the matches in "%s"', (text, words, expected) =>
    expect(marked(highlightMatches(text, createWordMatcher(words)))).toBe(expected),
  );

  it('cut long texts around the first match', () => {
    const text = `${'word '.repeat(100)}espresso ${'tail '.repeat(100)}`;
    const excerpt = marked(highlightExcerpt(text, createWordMatcher(['espresso'])));
    expect(excerpt).toContain('[espresso]');
    expect(excerpt.length).toBeLessThanOrEqual(165);
  });

  it('match fuzzily only up to the word limit of the search and up to a maximum word length', () => {
    const seven = 'one two three four five six esspreso'.split(' ');
    expect(marked(highlightMatches('Espresso', createWordMatcher(seven)))).toBe('Espresso');
    expect(marked(highlightMatches('Espresso', createWordMatcher(seven.slice(2))))).toBe('[Espresso]');
    expect(
      marked(highlightMatches('espressso'.repeat(20), createWordMatcher(['pressespresso']))),
    ).not.toContain('[');
  });

  it('scan only the beginning of a long text, each word once', () => {
    const scanned: string[] = [];
    const text = Array.from({ length: 10_000 }, (_item, index) => `word${index}`).join(' ');
    highlightExcerpt(text, (part) => scanned.push(part) < 0, 1000);
    expect(scanned.length).toBeLessThan(300);
  });

  it('do not block the event loop for long texts, many words and many aliases', async () => {
    const long = (seed: number) =>
      Array.from({ length: 5000 }, (_item, index) => `w${(index * 7919 + seed).toString(36)}xq`).join(' ');
    const words = [
      'zebra',
      ...Array.from({ length: 19 }, (_item, index) => 'zebra'.slice(0, 3 + (index % 3))),
    ];
    const crowd = await t.shop();
    for (let index = 0; index < 4; index += 1)
      await t.rest('POST', `/v1/businesses/${crowd.businessId}/products`, {
        as: crowd.admin,
        body: { name: `Zebra ${index}`, description: long(index * 5000) },
      });
    const aliases = Array.from({ length: 50 }, (_item, at) => `h${at}: highlights { productId }`).join(' ');
    const query = `query ($b: ID!, $s: String) { products(businessId: $b, search: $s) { ${aliases} } }`;
    const variables = { b: crowd.businessId, s: words.join(' ') };
    const longest = await longestTickMs(async () => {
      const { data } = await t.graphql(query, variables, { as: guest });
      expect(data).toMatchObject({ products: { h49: Array(4).fill({}) } });
    });
    // Took minutes before the limits. The embedded database runs in the same thread, hence one second.
    expect(longest).toBeLessThan(1000);
  });

  it('are returned for each product of the page', async () => {
    const { body } = await t.rest<{ highlights: { name: { text: string; matches: boolean }[] }[] }>(
      'GET',
      `/v1/businesses/${store.businessId}/product-highlights?query=esspreso`,
      { as: guest },
    );
    expect(body.highlights.map(({ name }) => marked(name))).toEqual(['House [espresso]', '[Espresso] cup']);
  });
});

it('finds words, prefixes and inflected forms without the extension pg_trgm', async () => {
  const plain = await testApp();
  await plain.db.script('drop extension pg_trgm cascade');
  const other = await plain.shop();
  const path = `/v1/businesses/${other.businessId}`;
  await plain.rest('POST', `${path}/products`, {
    as: other.admin,
    body: mug('Espresso cup', 'cups', 1, 'x', 1),
  });
  const countFound = async (query: string) =>
    (await plain.rest<{ items: unknown[] }>('GET', `${path}/products?${query}`, { as: other.admin })).body
      .items.length;
  expect([await countFound('query=espr&sort=RELEVANCE'), await countFound('query=cup')]).toEqual([1, 1]);
  expect(await countFound('query=esspreso')).toBe(0);
  const { body } = await plain.rest('GET', `${path}/product-suggestions?text=espresso`, { as: other.admin });
  expect(body).toMatchObject({ suggestions: [{ kind: 'PRODUCT', text: 'Espresso cup' }] });
});
