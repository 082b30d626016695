/** Rows are data: plain, checked against their operations by the compiler, and what they say is what is asked. */
import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLString } from 'graphql';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/generated/domains/routes.ts';
import * as operations from '../../src/generated/operations.ts';
import { compileRoute } from '../../src/rest/compile-route.ts';
import {
  customRoute,
  getRoute,
  listRoute,
  postRoute,
  putRoute,
  type RestRoute,
} from '../../src/rest/route.ts';

const products = '/v1/businesses/:businessId/products';

it('holds nothing but plain data', () => {
  // What holds a function, or an object with a life of its own, does not survive this.
  expect(structuredClone(routes)).toEqual(routes);
  expect(JSON.parse(JSON.stringify(routes))).toEqual(routes);
});

it('is refused by the compiler when it names what its operation does not have', () => {
  const planted = () => [
    // @ts-expect-error: a payload field
    postRoute(products, operations.CreateProductDocument, { answer: 'createProduct.item' }),
    // @ts-expect-error: a body for an operation without $input
    postRoute(products, operations.ListProductsDocument, { answer: 'products' }),
    // @ts-expect-error: a parameter of the path
    getRoute('/v1/businesses/:businessId/products/:sku', operations.GetProductDocument, {
      answer: 'product',
    }),
    // @ts-expect-error: a parameter of the path, for an operation without variables
    getRoute('/v1/users/:id', operations.GetMeDocument, { answer: 'me' }),
    // @ts-expect-error: a parameter of the query
    listRoute(products, operations.ListProductsDocument, { query: ['colour'], answer: 'products' }),
    // @ts-expect-error: the variable that a parameter of the query becomes
    listRoute(products, operations.ListProductsDocument, { rename: { tag: 'colour' }, answer: 'products' }),
    // @ts-expect-error: something else than a connection
    listRoute(products, operations.ListProductsDocument, { answer: 'products.pageInfo' }),
    // @ts-expect-error: something else than a record
    customRoute('GET', '/v1/users/login/url', operations.GetLoginUrlDocument, { answer: 'loginUrl' }),
    // @ts-expect-error: a field of the input
    customRoute('POST', '/v1/quote', operations.QuoteDocument, { alias: { items: 'rows' }, answer: 'quote' }),
    // @ts-expect-error: a variable
    putRoute('/v1/users', operations.UpdateMeDocument, { fields: ['token'], answer: 'updateMe.user' }),
  ];
  expect(planted).toBeTypeOf('function');
});

const types = [
  { name: 'id', type: GraphQLString, hasDefault: false },
  { name: 'first', type: GraphQLInt, hasDefault: false },
  { name: 'tags', type: new GraphQLList(GraphQLString), hasDefault: false },
  { name: 'force', type: GraphQLBoolean, hasDefault: false },
  { name: 'input', type: GraphQLString, hasDefault: false },
  { name: 'version', type: GraphQLInt, hasDefault: false },
];

const plain: RestRoute = {
  method: 'PUT',
  path: '/:id',
  operation: { name: 'X', source: '' },
  query: {},
  fields: [],
  alias: {},
  drop: [],
  answer: { at: 'x' },
  missing: 'X',
};

const variablesOf = (row: Partial<RestRoute>, asking: { query?: string; body?: object; ifMatch?: string }) =>
  compileRoute({ ...plain, ...row }, types).variables({
    path: { id: '1' },
    query: asking.query ?? '',
    body: { ...asking.body },
    ifMatch: asking.ifMatch,
  });

describe('what an operation is asked with', () => {
  it.each<[string, Partial<RestRoute>, Parameters<typeof variablesOf>[1], object]>([
    [
      'the body as input, the version of If-Match',
      {},
      { body: { a: 1 }, ifMatch: '"3-x"' },
      { input: { a: 1 }, version: 3 },
    ],
    [
      'fields of their own',
      { fields: ['force'] },
      { body: { force: true } },
      { force: true, input: { force: true } },
    ],
    ['an alias', { alias: { old: 'new' } }, { body: { old: 1, b: 2 } }, { input: { new: 1, b: 2 } }],
    [
      'an alias beside the proper name',
      { alias: { old: 'new' } },
      { body: { old: 1, new: 2 } },
      { input: { new: 2 } },
    ],
    [
      'an alias beside null',
      { alias: { old: 'new' } },
      { body: { old: 1, new: null } },
      { input: { new: 1 } },
    ],
    ['null without an alias', { alias: { old: 'new' } }, { body: { new: null } }, { input: { new: null } }],
    ['what nobody reads', { drop: ['id'] }, { body: { id: 1, b: 2 } }, { input: { b: 2 } }],
    ['a renamed parameter', { query: { limit: 'first' } }, { query: 'limit=5' }, { first: 5 }],
    [
      'lists, repeated or not',
      { query: { tags: 'tags' } },
      { query: 'tags=a,b&tags=c' },
      { tags: ['a', 'b', 'c'] },
    ],
    [
      'the first parameter that is set',
      { query: { tag: 'tags', tags: 'tags' } },
      { query: 'tag=&tags=b' },
      { tags: ['b'] },
    ],
    [
      'the body before the query',
      { fields: ['force'], query: { force: 'force' } },
      { query: 'force=false', body: { force: true } },
      { force: true },
    ],
    [
      'the query without the body',
      { fields: ['force'], query: { force: 'force' } },
      { query: 'force=false' },
      { force: false },
    ],
    ['nothing it does not know', { query: {} }, { query: 'first=1&version=2' }, { version: undefined }],
  ])('%s', (_what, row, asking, expected) => {
    expect(variablesOf(row, asking)).toEqual({ id: '1', input: expect.anything(), ...expected });
  });

  it('says at once that there is no such variable', () => {
    expect(() => variablesOf({ query: { a: 'nothing' } }, {})).toThrow(
      'PUT /:id: there is no $nothing for a.',
    );
  });
});

describe('what it answers', () => {
  const answerOf = (answer: RestRoute['answer'], data: unknown) =>
    compileRoute({ ...plain, answer }, types).responseBody(data);
  const page = (hasNextPage: boolean) => ({ x: { nodes: [1], pageInfo: { hasNextPage, endCursor: 'c' } } });

  it.each<[string, RestRoute['answer'], unknown, unknown]>([
    ['a record', { at: 'x' }, { x: { id: 1 } }, { id: 1 }],
    ['no record', { at: 'x' }, { x: null }, null],
    ['a record of a payload', { at: 'x.y' }, { x: { y: { id: 1 } } }, { id: 1 }],
    ['no payload', { at: 'x.y' }, { x: null }, undefined],
    ['a page', { list: 'x' }, page(true), { items: [1], cursor: 'c' }],
    ['the last page', { list: 'x' }, page(false), { items: [1], cursor: null }],
    ['a value', { value: 'x', as: 'url' }, { x: 'u' }, { url: 'u' }],
    ['no value', { value: 'x', as: 'url' }, { x: null }, undefined],
    ['success', { success: true }, { x: { y: 1 } }, { success: true }],
    [
      'the record, not the rest',
      { at: 'x.y', otherwise: { u: 'x.z' } },
      { x: { y: { id: 1 }, z: 2 } },
      { id: 1 },
    ],
    [
      'the rest, without the record',
      { at: 'x.y', otherwise: { u: 'x.z' } },
      { x: { y: null, z: 2 } },
      { u: 2 },
    ],
  ])('%s', (_what, answer, data, expected) => {
    expect(answerOf(answer, data)).toEqual(expected);
  });
});
