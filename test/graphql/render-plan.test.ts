/** Answers put together from texts are, byte for byte, what an execution gives. */
import { beforeAll, describe, expect, it } from 'vitest';
import * as operations from '../../src/generated/operations.ts';
import { createExecutor } from '../../src/graphql/execute/executor.ts';
import { schema } from '../../src/graphql/schema/schema.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
let guest: Person;
let id: string;

beforeAll(async () => {
  t = await testApp();
  [shop, guest] = await Promise.all([t.shop(), t.guest()]);
  const create = async (body: object) =>
    (
      await t.rest<{ id: string }>('POST', `/v1/businesses/${shop.businessId}/products`, {
        as: shop.admin,
        body,
      })
    ).body.id;
  await create({ name: 'Plain' });
  await create({ name: 'Draft', statuses: [{ id: '1', status: 'DRAFT' }] });
  id = await create({
    name: 'Ünïcödé 日本語 "quoted" \\ \u2028 </script>',
    slug: 'odd',
    blocks: [{ id: 'b', type: 'TEXT', value: 'x', label: null, settings: { maxLength: 5, options: null } }],
    variants: [
      {
        name: 'S',
        sku: 's-1',
        attributes: [{ name: 'size', value: 'S' }],
        pricing: { markets: [{ marketId: 'US', currency: 'USD', price: 100 }] },
        inventory: { tracked: true, quantity: 1, lowStockThreshold: 2 },
      },
    ],
  });
});

/** The lean lane answers from texts; what comes as GET is executed. */
async function bothWays(query: string, variables: object, as: Person) {
  const headers = {
    authorization: `Bearer ${as.token}`,
    accept: 'application/json',
    // Errors name their request.
    'x-request-id': 'same',
  };
  const url = 'http://localhost/graphql';
  const lean = await t.app.fetch(
    new Request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }),
  );
  const asked = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  const executed = await t.app.fetch(new Request(`${url}?${asked}`, { headers }));
  return { lean: await lean.text(), executed: await executed.text() };
}

const fields =
  'id name status version createdAt statuses { status userId changedBy } variants { sku inventory { isLow quantity lowStockThreshold } }';

const documents: Record<string, string> = {
  'one product': `query($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { ${fields} } }`,
  'under other names': `query($b: ID!, $id: ID!) { it: product(businessId: $b, id: $id) { a: name b: name t: __typename blocks { value settings { options maxLength } } } }`,
  'names that every object has': `query($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { __proto__: name constructor: slug toString: id } }`,
  'fragments and fields that come twice': `query($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { ...F variants { id } ...F ... on Product { slug variants { name } } ... { category } } }
     fragment F on Product { name variants { pricing { markets { price compareAtPrice } } } }`,
  'a constant address': `query($b: ID!) { product(businessId: $b, id: "odd") { name } }`,
  'a default': `query($b: ID!, $id: ID = "odd") { product(businessId: $b, id: $id) { name } }`,
  'nothing there': `query($b: ID!) { product(businessId: $b, id: "nowhere") { name } }`,
  'a page': `query($b: ID!) { products(businessId: $b, first: 2) { nodes { ${fields} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
  'its edges': `query($b: ID!) { products(businessId: $b) { edges { cursor node { id } } __typename } }`,
  'nodes twice': `query($b: ID!) { products(businessId: $b) { nodes { id } same: nodes { name } nodes { slug } } }`,
  'a count': `query($b: ID!) { products(businessId: $b) { totalCount nodes { id } } }`,
  'a filter': `query($b: ID!) { products(businessId: $b, status: ACTIVE, ids: []) { nodes { id } } }`,
  'a directive': `query($b: ID!, $id: ID!, $no: Boolean = false) { product(businessId: $b, id: $id) { id name @include(if: $no) ...F @skip(if: $no) } } fragment F on Product { slug }`,
  'two roots': `query($b: ID!, $id: ID!) { a: product(businessId: $b, id: $id) { id } b: product(businessId: $b, id: $id) { name } }`,
  'a bad page size': 'query($b: ID!) { products(businessId: $b, first: 0) { nodes { id } } }',
  'what staff alone may ask': 'query($b: ID!) { products(businessId: $b, lowStock: true) { nodes { id } } }',
  'another record': 'query($b: ID!) { business(id: $b) { id name version } }',
};

describe.each(Object.entries(documents))('%s', (_name, query) => {
  it.each(['guest', 'staff'])('reads the same to %s', async (who) => {
    const as = who === 'guest' ? guest : shop.admin;
    const variables = {
      b: shop.businessId,
      ...(query.includes('$id') && !query.includes('$id: ID =') ? { id } : {}),
    };
    // Executed at first, then put together, then known by heart.
    for (let time = 1; time <= 7; time += 1) {
      const { lean, executed } = await bothWays(query, variables, as);
      expect(lean).toBe(executed);
    }
  });
});

it('an id that is no string reads the same', async () => {
  const both = await bothWays(documents['one product'] as string, { b: shop.businessId, id: 5 }, guest);
  expect(both.lean).toBe(both.executed);
  const list = `query($b: ID!, $ids: [ID!]) { products(businessId: $b, ids: $ids) { nodes { id } } }`;
  const one = await bothWays(list, { b: shop.businessId, ids: id }, guest);
  expect(one).toEqual({ lean: one.executed, executed: `{"data":{"products":{"nodes":[{"id":"${id}"}]}}}` });
});

it('shows a change at once', async () => {
  const query = documents['one product'] as string;
  const read = async () =>
    JSON.parse((await bothWays(query, { b: shop.businessId, id }, guest)).lean).data.product;
  const before = await read();
  await t.rest('PUT', `/v1/businesses/${shop.businessId}/products/${id}`, {
    as: shop.admin,
    body: { name: 'New' },
  });
  expect(await read()).toEqual({ ...before, name: 'New', version: before.version + 1 });
});

it('gives another business, and a product that has become a draft, to nobody', async () => {
  const query = documents['one product'] as string;
  const other = await t.shop();
  expect((await bothWays(query, { b: other.businessId, id }, other.admin)).lean).toBe(
    '{"data":{"product":null}}',
  );
  expect((await bothWays(query, { b: newId(), id }, guest)).lean).toBe('{"data":{"product":null}}');
  await t.rest('PUT', `/v1/businesses/${shop.businessId}/products/${id}`, {
    as: shop.admin,
    body: { statuses: [{ id: 'd', status: 'DRAFT' }] },
  });
  expect((await bothWays(query, { b: shop.businessId, id }, guest)).lean).toBe('{"data":{"product":null}}');
  expect((await bothWays(query, { b: shop.businessId, id }, shop.admin)).lean).toContain('"status":"DRAFT"');
});

const stored = {
  GetProduct: operations.GetProductDocument,
  ListProducts: operations.ListProductsDocument,
  GetEntry: operations.GetEntryDocument,
  ListEntries: operations.ListEntriesDocument,
  GetCollection: operations.GetCollectionDocument,
  ListCollections: operations.ListCollectionsDocument,
};

it.each(Object.entries(stored))('%s is put together from texts once it is asked often', (name, document) => {
  const operation = createExecutor(schema).prepare(document.toString()).operation(name);
  expect([1, 2, 3, 4].map(() => operation?.renderPlan() !== undefined)).toEqual([false, false, true, true]);
});
