/** Responses rendered from cached JSON are identical, byte for byte, to executed ones. */
import { beforeAll, describe, expect, it } from 'vitest';
import * as operations from '../../src/generated/operations.ts';
import { createDocumentPreparer } from '../../src/graphql/execute/document-preparer.ts';
import { operationCompiler } from '../../src/graphql/fast/index.ts';
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

/** The fast handler responds from cached JSON to a POST; a GET is executed by Yoga. */
async function fetchBoth(query: string, variables: object, as: Person) {
  const headers = {
    authorization: `Bearer ${as.token}`,
    accept: 'application/json',
    // Errors contain the request id.
    'x-request-id': 'same',
  };
  const url = 'http://localhost/graphql';
  const rendered = await t.app.fetch(
    new Request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }),
  );
  const params = new URLSearchParams({ query, variables: JSON.stringify(variables) });
  const executed = await t.app.fetch(new Request(`${url}?${params}`, { headers }));
  return { rendered: await rendered.text(), executed: await executed.text() };
}

const fields =
  'id name status version createdAt statuses { status userId changedBy } variants { sku inventory { isLow quantity lowStockThreshold } }';

const documents: Record<string, string> = {
  'one product': `query($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { ${fields} } }`,
  aliases: `query($b: ID!, $id: ID!) { it: product(businessId: $b, id: $id) { a: name b: name t: __typename blocks { value settings { options maxLength } } } }`,
  'names of Object.prototype properties': `query($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { __proto__: name constructor: slug toString: id } }`,
  'fragments and repeated fields': `query($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { ...F variants { id } ...F ... on Product { slug variants { name } } ... { category } } }
     fragment F on Product { name variants { pricing { markets { price compareAtPrice } } } }`,
  'a constant argument': `query($b: ID!) { product(businessId: $b, id: "odd") { name } }`,
  'a default value': `query($b: ID!, $id: ID = "odd") { product(businessId: $b, id: $id) { name } }`,
  'no record': `query($b: ID!) { product(businessId: $b, id: "nowhere") { name } }`,
  'a page': `query($b: ID!) { products(businessId: $b, first: 2) { nodes { ${fields} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`,
  edges: `query($b: ID!) { products(businessId: $b) { edges { cursor node { id } } __typename } }`,
  'nodes twice': `query($b: ID!) { products(businessId: $b) { nodes { id } same: nodes { name } nodes { slug } } }`,
  'a count': `query($b: ID!) { products(businessId: $b) { totalCount nodes { id } } }`,
  'a filter': `query($b: ID!) { products(businessId: $b, status: ACTIVE, ids: []) { nodes { id } } }`,
  'a directive': `query($b: ID!, $id: ID!, $no: Boolean = false) { product(businessId: $b, id: $id) { id name @include(if: $no) ...F @skip(if: $no) } } fragment F on Product { slug }`,
  'two roots': `query($b: ID!, $id: ID!) { a: product(businessId: $b, id: $id) { id } b: product(businessId: $b, id: $id) { name } }`,
  'a bad page size': 'query($b: ID!) { products(businessId: $b, first: 0) { nodes { id } } }',
  'a filter for staff only': 'query($b: ID!) { products(businessId: $b, lowStock: true) { nodes { id } } }',
  'another record': 'query($b: ID!) { business(id: $b) { id name version } }',
};

describe.each(Object.entries(documents))('%s', (_name, query) => {
  it.each(['guest', 'staff'])('returns the same to a %s viewer', async (viewer) => {
    const as = viewer === 'guest' ? guest : shop.admin;
    const variables = {
      b: shop.businessId,
      ...(query.includes('$id') && !query.includes('$id: ID =') ? { id } : {}),
    };
    // The first requests are executed, the next ones rendered, the last ones memoized.
    for (let round = 1; round <= 7; round += 1) {
      const { rendered, executed } = await fetchBoth(query, variables, as);
      expect(rendered).toBe(executed);
    }
  });
});

it('accepts an id that is not a string', async () => {
  const both = await fetchBoth(documents['one product'] as string, { b: shop.businessId, id: 5 }, guest);
  expect(both.rendered).toBe(both.executed);
  const list = `query($b: ID!, $ids: [ID!]) { products(businessId: $b, ids: $ids) { nodes { id } } }`;
  const single = await fetchBoth(list, { b: shop.businessId, ids: id }, guest);
  expect(single).toEqual({
    rendered: single.executed,
    executed: `{"data":{"products":{"nodes":[{"id":"${id}"}]}}}`,
  });
});

it('returns a change immediately', async () => {
  const query = documents['one product'] as string;
  const read = async () =>
    JSON.parse((await fetchBoth(query, { b: shop.businessId, id }, guest)).rendered).data.product;
  const before = await read();
  await t.rest('PUT', `/v1/businesses/${shop.businessId}/products/${id}`, {
    as: shop.admin,
    body: { name: 'New' },
  });
  expect(await read()).toEqual({ ...before, name: 'New', version: before.version + 1 });
});

it('hides products of other businesses and new drafts', async () => {
  const query = documents['one product'] as string;
  const other = await t.shop();
  expect((await fetchBoth(query, { b: other.businessId, id }, other.admin)).rendered).toBe(
    '{"data":{"product":null}}',
  );
  expect((await fetchBoth(query, { b: newId(), id }, guest)).rendered).toBe('{"data":{"product":null}}');
  await t.rest('PUT', `/v1/businesses/${shop.businessId}/products/${id}`, {
    as: shop.admin,
    body: { statuses: [{ id: 'd', status: 'DRAFT' }] },
  });
  expect((await fetchBoth(query, { b: shop.businessId, id }, guest)).rendered).toBe(
    '{"data":{"product":null}}',
  );
  expect((await fetchBoth(query, { b: shop.businessId, id }, shop.admin)).rendered).toContain(
    '"status":"DRAFT"',
  );
});

const stored = {
  GetProduct: operations.GetProductDocument,
  ListProducts: operations.ListProductsDocument,
  GetEntry: operations.GetEntryDocument,
  ListEntries: operations.ListEntriesDocument,
  GetCollection: operations.GetCollectionDocument,
  ListCollections: operations.ListCollectionsDocument,
};

it.each(Object.entries(stored))('%s gets a render plan at its third request', (name, document) => {
  const operation = createDocumentPreparer(schema, operationCompiler)
    .prepare(document.toString())
    .operation(name);
  expect([1, 2, 3, 4].map(() => operation?.renderPlan() !== undefined)).toEqual([false, false, true, true]);
});
