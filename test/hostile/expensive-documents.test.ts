/** Small GraphQL documents that are expensive to execute are rejected before validation and execution. */
import { getIntrospectionQuery } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { threadCpuMs } from '../support/cpu-time.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
  // Warm-up: the first request includes compilation.
  await t.graphql('{ __typename }');
});

const times = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_item, index) => text(index)).join(' ');

/** Fragments that each select the next one twice. */
const doubling = (levels: number, type: string, twice: (next: string) => string, leafFields: string) =>
  `${times(levels, (level) => `fragment F${level} on ${type} { ${twice(`...F${level + 1}`)} }`)} fragment F${levels} on ${type} { ${leafFields} }`;

const twoFields = (field: string) => (next: string) => `a: ${field} { ${next} } b: ${field} { ${next} }`;

const tooExpensive: Record<string, string> = {
  'introspection through fragments that double 14 times': `{ __schema { types { ...F0 } } } ${doubling(14, '__Type', twoFields('ofType'), 'name')}`,
  'fragments spread twice, 30 levels deep': `{ ...F0 } ${doubling(30, 'Query', (next) => `${next} ${next}`, '__typename')}`,
  'fragments that double over our own types': `{ product(businessId: "x", id: "y") { ...F0 } } ${doubling(12, 'Product', (next) => `${next} ${next}`, 'id')}`,
  'fragments spread twice that nothing uses': `{ __typename } ${doubling(30, 'Query', (next) => `${next} ${next}`, '__typename')}`,
  'a fragment that spreads itself': '{ ...A } fragment A on Query { __typename ...A }',
  'fragments in a circle': '{ ...A } fragment A on Query { ...B ...B } fragment B on Query { ...A ...A }',
  'one field a thousand times': `{ ${times(999, () => '__typename')} }`,
  'one nested field hundreds of times': `{ ${times(330, () => '__schema { types { name } }')} }`,
  'one alias hundreds of times': `{ ${times(200, () => 'a: products(businessId: "x", first: 3) { nodes { id } }')} }`,
  'hundreds of fragments in one place': `{ __schema { types { ${times(300, (index) => `...F${index}`)} } } } ${times(300, (index) => `fragment F${index} on __Type { a${index}: name }`)}`,
  'a chain of hundreds of fragments': `{ ...F0 } ${times(300, (index) => `fragment F${index} on Query { __typename ...F${index + 1} }`)} fragment F300 on Query { __typename }`,
  'many operations over one large fragment': `${times(200, (index) => `query Q${index} { ...F }`)} fragment F on Query { ${times(100, (index) => `a${index}: __typename`)} }`,
  'selections a thousand levels deep': `{ ${'a { '.repeat(1200)} b ${'} '.repeat(1200)} }`,
  'a document of 300 KB': `{ __typename } # ${'x'.repeat(300_000)}`,
  'a name of 300 KB': `{ ${'x'.repeat(300_000)} }`,
  '85 times the schema': `{ ${times(85, (index) => `a${index}: __schema { types { name fields { name } } }`)} }`,
  'the largest type hundreds of times': `{ ${times(200, (index) => `a${index}: __type(name: "Mutation") { fields { name args { name } } }`)} }`,
  'the largest type with all it says': `{ ${times(150, (index) => `a${index}: __type(name: "Mutation") { fields { name args { name description type { name kind } } } }`)} }`,
  'types of types of types': `{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }`,
};

describe.each(Object.entries(tooExpensive))('%s', (_name, query) => {
  it('is rejected quickly, without authentication', async () => {
    await t.graphql(query);
    const before = threadCpuMs();
    const { data, errors } = await t.graphql(query, {}, { headers: { 'x-request-id': 'again' } });
    expect(threadCpuMs() - before).toBeLessThan(1000);
    expect(data).toBeUndefined();
    expect(errors[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST', details: [] });
    expect(errors[0]?.message).toMatch(
      /too (deep|wide|long|repetitive|complex)|within itself|introspection depth/,
    );
    expect(errors.every(({ message }) => message.length <= 600)).toBe(true);
  });
});

const acceptable: Record<string, string> = {
  'introspection as tools send it': getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }),
  'a few hundred values of one type': `{ ${times(40, (index) => `a${index}: __type(name: "Product") { fields { name } }`)} }`,
  'a fragment in thirty places': `{ ${times(30, (index) => `a${index}: __type(name: "Product") { ...T }`)} } fragment T on __Type { name kind }`,
};

describe.each(Object.entries(acceptable))('%s', (_name, query) => {
  it('is executed, with the same result after JIT compilation', async () => {
    const results = [];
    for (let run = 0; run < 4; run += 1) results.push(await t.graphql(query));
    expect(results[0]?.errors).toEqual([]);
    for (const { data } of results) expect(data).toEqual(results[0]?.data);
  });
});

it('returns the fields of a fragment that is skipped in one place and included in another, on every repetition', async () => {
  const business = `business(id: "${shop.businessId}")`;
  const document = `query ($yes: Boolean!) { ${business} { ...F @skip(if: $yes) ...F slug ...G @include(if: false) ...G } }
    fragment F on Business { id } fragment G on Business { name }`;
  for (const query of [document, document.replace('$yes)', 'true)').replace('($yes: Boolean!) ', '')])
    for (let run = 0; run < 5; run += 1)
      expect((await t.graphql(query, { yes: true }, { as: shop.admin })).data).toEqual({
        business: { id: shop.businessId, slug: `shop-${shop.businessId}`, name: 'Shop' },
      });
});

it('counts all operations of a batch together', async () => {
  const query = getIntrospectionQuery();
  const response = await t.app.fetch(
    new Request('http://duet.test/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(Array(10).fill({ query })),
    }),
  );
  const results = (await response.json()) as { data?: object; errors?: { message: string }[] }[];
  const answered = results.filter(({ data }) => data).length;
  expect(answered).toBeGreaterThan(0);
  expect(answered).toBeLessThan(4);
  const rejected = results.filter(({ errors }) => errors?.[0]?.message.includes('too complex'));
  expect(rejected).toHaveLength(10 - answered);
});

it('distinguishes null, absent and default variables in the cost calculation', async () => {
  const lists = times(
    60,
    (index) =>
      `p${index}: products(businessId: "${shop.businessId}", first: $n) { nodes { variants { id name sku pricing { markets { price currency marketId } } gallery { id url } } } }`,
  );
  const query = `query ($n: Int = 1) { ${lists} }`;
  const codes = async (variables: Record<string, unknown>) =>
    (await t.graphql(query, variables, { as: shop.admin })).errors.map(({ extensions }) => extensions.code);
  expect(await codes({})).toEqual([]);
  expect(await codes({ n: 100 })).toEqual(['BAD_REQUEST']);
  expect(await codes({ n: null })).toEqual(['BAD_REQUEST']);
  expect(await codes({})).toEqual([]);
});
