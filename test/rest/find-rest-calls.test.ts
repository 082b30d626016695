/** Translation of GraphQL operations to REST calls: every documented example there and back, and operations that have no route. */
import { describe, expect, it } from 'vitest';
import { findRestCalls } from '../../src/rest/translation/find-rest-calls.ts';
import { translateRequest } from '../../src/rest/translation/translate-request.ts';
import { contractExamples } from '../support/contract-examples.ts';

const translated = contractExamples.flatMap((example) => {
  const { path, body = {} } = example.request();
  const forward = translateRequest({ method: example.method, path, headers: {}, body });
  return forward ? [{ name: example.name, method: example.method, path, forward }] : [];
});

it('finds the route of every documented example, by text and by id', () => {
  const withoutCall: string[] = [];
  /** Two routes may run one field with the same arguments. */
  const equivalent = new Set<string>();
  for (const { name, forward } of translated) {
    const { document, documentId, variables } = forward;
    for (const request of [{ query: document }, { documentId }]) {
      if (request.documentId === undefined && request.query === undefined) continue;
      const [field] = findRestCalls({ ...request, variables });
      const call = field?.call;
      if (!call) {
        withoutCall.push(name);
        continue;
      }
      const back = translateRequest({ ...call, body: call.body ?? {} });
      const operation = back?.parsedRoute.route.operation.name ?? '';
      if (operation === forward.parsedRoute.route.operation.name)
        expect(back?.variables, name).toEqual(variables);
      else equivalent.add(`${name}: ${operation}`);
    }
  }
  expect(withoutCall).toEqual([]);
  expect([...equivalent]).toEqual(['SetMemberRole: SetRole']);
  expect(translated.length).toBeGreaterThan(150);
});

describe('an operation of a client', () => {
  const find = (query: string, variables = {}) => findRestCalls({ query, variables });

  it('becomes one call for each root field, with the fields that REST lacks', () => {
    const query = `query ($first: Int = 3) {
      cheap: products(businessId: "b1", first: $first, sort: PRICE, filter: { market: "US", inStock: true }) { totalCount nodes { name ...Slug } }
      orders(businessId: "b1") { nodes { id } }
    }
    fragment Slug on Product { slug }`;
    expect(find(query)).toEqual([
      {
        field: 'cheap',
        call: {
          method: 'GET',
          path: '/v1/businesses/b1/products?limit=3&sort=PRICE&market=US&inStock=true',
          headers: {},
          body: undefined,
          missingFields: ['products.totalCount'],
        },
      },
      {
        field: 'orders',
        call: expect.objectContaining({ path: '/v1/businesses/b1/orders', missingFields: [] }),
      },
    ]);
  });

  it('sends the input as the body, and the version as If-Match', () => {
    const query = `mutation ($input: UpdateProductInput!) {
      updateProduct(businessId: "b1", id: "p/1", version: 4, input: $input) { product { id } }
    }`;
    expect(find(query, { input: { description: null, name: 'Cup' } })[0]?.call).toEqual({
      method: 'PATCH',
      path: '/v1/businesses/b1/products/p%2F1',
      headers: { 'if-match': '"4"' },
      body: { description: null, name: 'Cup' },
      missingFields: [],
    });
  });

  it('has no call if REST cannot send its arguments', () => {
    for (const query of [
      'query { products(businessId: "b1", last: 3) { nodes { id } } }',
      'query { node(id: "x") { id } }',
      'subscription { stockChanged(businessId: "b1", productId: "p") { sku } }',
      'query { products(businessId: "b1", ids: ["a,b"]) { nodes { id } } }',
    ])
      expect(find(query), query).toEqual([{ field: expect.any(String), call: undefined }]);
  });

  it('is rejected if it is not valid, or too large', () => {
    const chain = Array.from(
      { length: 40 },
      (_, index) => `fragment F${index} on Product { ...F${index + 1} ...F${index + 1} }`,
    );
    const bomb = `{ products(businessId: "b") { nodes { ...F0 } } } ${chain.join(' ')} fragment F40 on Product { id }`;
    for (const query of [bomb, '{ products { nope } }', 'query A { me { id } } query B { me { id } }', '{'])
      expect(() => find(query), query.slice(0, 40)).toThrowError();
    expect(() => findRestCalls({ documentId: 'unknown', variables: {} })).toThrowError('no stored operation');
  });
});
