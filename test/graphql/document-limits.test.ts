/** GraphQL limits: oversized documents, invalid variables, and errors that must not reveal internals. */
import { beforeAll, describe, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
});

const rejection = (message: RegExp) => ({
  data: undefined,
  errors: [
    {
      message: expect.stringMatching(message),
      extensions: { code: 'BAD_REQUEST', details: [], requestId: expect.any(String) },
    },
  ],
});

describe('oversized documents', () => {
  it('rejects documents that are too deep', async () => {
    const deep = `{ __schema { types ${'{ fields { type '.repeat(12)} { name } ${'} }'.repeat(12)} } }`;
    expect(await t.graphql(deep, {}, { as: shop.admin })).toMatchObject(
      rejection(/too (deep|complex)|introspection depth/),
    );
  });

  it('rejects documents with too many aliases', async () => {
    const lists = Array.from(
      { length: 50 },
      (_item, index) =>
        `a${index}: products(businessId: "x", first: 100) { nodes { id name variants { id name pricing { markets { price } } } } }`,
    );
    expect(await t.graphql(`{ ${lists.join('\n')} }`, {}, { as: shop.admin })).toMatchObject(
      rejection(/too complex/),
    );
    const wide = Array.from({ length: 1001 }, (_item, index) => `a${index}: __typename`);
    expect(await t.graphql(`{ ${wide.join(' ')} }`, {}, { as: shop.admin })).toMatchObject(
      rejection(/too (wide|complex)|tokens/),
    );
  });

  it('rejects documents with too many tokens while parsing', async () => {
    expect(await t.graphql(`{ ${'a '.repeat(5000)} }`)).toMatchObject(rejection(/4000 tokens/));
  });

  it('multiplies the cost by page sizes in variables', async () => {
    const query = `query ($n: Int) { ${Array.from({ length: 12 }, (_item, index) => `p${index}: products(businessId: "${shop.businessId}", first: $n) { nodes { variants { id name sku pricing { markets { price currency marketId } } gallery { id url } } } }`).join('\n')} }`;
    expect((await t.graphql(query, { n: 2 }, { as: shop.admin })).errors).toEqual([]);
    expect(await t.graphql(query, { n: 100 }, { as: shop.admin })).toMatchObject(rejection(/too complex/));
  });

  it('allows the introspection query of tools', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    expect((await t.graphql(getIntrospectionQuery())).errors).toEqual([]);
  });
});

describe('variables', () => {
  const query =
    'query ($b: ID!, $n: Int, $s: ProductStatus) { products(businessId: $b, first: $n, status: $s) { nodes { id } } }';

  it('reports every error with its path', async () => {
    const { data, errors } = await t.graphql(query, { n: 'x', s: 'GONE' }, { as: shop.admin });
    expect(data).toBeUndefined();
    expect(errors).toEqual([
      {
        message: 'The variables are not valid.',
        extensions: {
          code: 'VALIDATION_FAILED',
          details: [
            { field: 'b', error: 'REQUIRED', message: expect.any(String) },
            { field: 'n', error: 'INVALID_TYPE', message: expect.any(String) },
            { field: 's', error: 'INVALID_VALUE', message: expect.any(String) },
          ],
          requestId: expect.any(String),
        },
      },
    ]);
  });

  it('rejects unknown input fields, which REST ignores', async () => {
    const create =
      'mutation ($b: ID!, $input: CreateProductInput!) { createProduct(businessId: $b, input: $input) { product { id } } }';
    const { errors } = await t.graphql(
      create,
      { b: shop.businessId, input: { name: 'X', colour: 'red' } },
      { as: shop.admin },
    );
    expect(errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      details: [{ field: 'colour', error: 'UNKNOWN_FIELD' }],
    });
  });

  it('returns the same validation details as REST', async () => {
    const create =
      'mutation ($b: ID!, $input: CreateProductInput!) { createProduct(businessId: $b, input: $input) { product { id } } }';
    const input = {
      name: '',
      variants: [{ pricing: { markets: [{ marketId: 'US', currency: 'XXQ', price: 1 }] } }],
    };
    const viaGraphql = await t.graphql(create, { b: shop.businessId, input }, { as: shop.admin });
    const viaRest = await t.rest<{ details: object[] }>(
      'POST',
      `/v1/businesses/${shop.businessId}/products`,
      { as: shop.admin, body: input },
    );
    expect(viaGraphql.errors[0]?.extensions.details).toEqual(viaRest.body.details);
    expect(viaGraphql.errors[0]?.extensions.code).toBe('VALIDATION_FAILED');
  });

  it('rejects literals that PostgreSQL cannot store, without revealing SQL', async () => {
    const { errors } = await t.graphql(
      `mutation { createProduct(businessId: "${shop.businessId}", input: { name: "a\\u0000b" }) { product { id } } }`,
      {},
      { as: shop.admin },
    );
    expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    expect(JSON.stringify(errors)).not.toMatch(/insert|select|sql|postgres/i);
  });
});

it('hides the cause of internal errors', async () => {
  const broken = await testApp();
  const admin = await broken.person();
  await broken.db.sql('alter table businesses rename to hidden');
  for (const response of [
    await broken.graphql('{ businesses { nodes { id } } }', {}, { as: admin }),
    await broken.rest('GET', '/v1/businesses', { as: admin }),
  ]) {
    const text = JSON.stringify('body' in response ? response.body : response.errors);
    expect(text).toContain('INTERNAL');
    expect(text).not.toMatch(/hidden|does not exist|relation|prisma|at .*\.ts|select/i);
  }
});

it('names the fields of a type, and the arguments of a field, when an unknown name is not similar to one', async () => {
  const t = await testApp();
  const messages = async (query: string) => (await t.graphql(query)).errors.map(({ message }) => message);
  expect(await messages('{ myCart(businessId: "b") { shippingOptions { key } } }')).toEqual([
    'Cannot query field "key" on type "ShippingOption". Its fields are shippingMethodId, name, price, freeAbove, isSelected.',
  ]);
  expect(await messages('{ prodcts { id } }')).toEqual([
    'Cannot query field "prodcts" on type "Query". Did you mean "products" or "product"?',
  ]);
  expect(await messages('{ product(businessId: "b", id: "p", slug: "cup") { id } }')).toEqual([
    'Unknown argument "slug" on field "Query.product". Its arguments are businessId, id.',
  ]);
  expect(await messages('{ node(idd: "p", id: "p") { id } }')).toEqual([
    'Unknown argument "idd" on field "Query.node". Did you mean "id"?',
  ]);
  // Too many fields to list.
  expect(await messages('{ zzzz }')).toEqual(['Cannot query field "zzzz" on type "Query".']);
});
