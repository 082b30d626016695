/** REST routes: plain data, checked by the compiler against their operations, and compiled to variables and responses. */
import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLString } from 'graphql';
import { describe, expect, it } from 'vitest';
import { routes } from '../../src/generated/domains/routes.ts';
import * as operations from '../../src/generated/operations.ts';
import { compileRouteMapping } from '../../src/rest/compile-route.ts';
import {
  defineCustomRoute,
  defineGetRoute,
  defineListRoute,
  definePostRoute,
  definePutRoute,
  type RestRoute,
} from '../../src/rest/route.ts';

const products = '/v1/businesses/:businessId/products';

it('are plain data', () => {
  // Functions and class instances would not survive cloning.
  expect(structuredClone(routes)).toEqual(routes);
  expect(JSON.parse(JSON.stringify(routes))).toEqual(routes);
});

it('do not compile if they use names that their operation does not have', () => {
  const invalidRoutes = () => [
    // @ts-expect-error: body for an operation without $input
    definePostRoute(products, operations.ListProductsDocument),
    // @ts-expect-error: unknown path parameter
    defineGetRoute('/v1/businesses/:businessId/products/:sku', operations.GetProductDocument),
    // @ts-expect-error: path parameter for an operation without variables
    defineGetRoute('/v1/users/:id', operations.GetMeDocument),
    // @ts-expect-error: unknown query parameter
    defineListRoute(products, operations.ListProductsDocument, { query: ['colour'] }),
    defineListRoute(products, operations.ListProductsDocument, {
      // @ts-expect-error: unknown variable of a query parameter
      queryAliases: { tag: 'colour' },
    }),
    defineCustomRoute('GET', '/v1/users/me', operations.GetMeDocument, {
      // @ts-expect-error: unknown payload field
      response: { at: 'me.profile' },
    }),
    defineCustomRoute('GET', '/v1/users/login/url', operations.GetLoginUrlDocument, {
      // @ts-expect-error: not a record
      response: { at: 'loginUrl' },
    }),
    defineCustomRoute('POST', '/v1/quote', operations.QuoteDocument, {
      // @ts-expect-error: unknown input field
      inputAliases: { items: 'rows' },
    }),
    definePutRoute('/v1/users', operations.UpdateMeDocument, {
      // @ts-expect-error: unknown variable
      bodyFields: ['token'],
    }),
  ];
  expect(invalidRoutes).toBeTypeOf('function');
});

const types = [
  { name: 'id', type: GraphQLString, hasDefault: false },
  { name: 'first', type: GraphQLInt, hasDefault: false },
  { name: 'tags', type: new GraphQLList(GraphQLString), hasDefault: false },
  { name: 'force', type: GraphQLBoolean, hasDefault: false },
  { name: 'input', type: GraphQLString, hasDefault: false },
  { name: 'version', type: GraphQLInt, hasDefault: false },
];

const baseRoute: RestRoute = {
  method: 'PUT',
  path: '/:id',
  operation: { name: 'X', source: '' },
  query: {},
  bodyFields: [],
  inputAliases: {},
  ignoredFields: [],
  response: { at: 'x' },
  creates: undefined,
  recordName: 'X',
};

const variablesOf = (
  route: Partial<RestRoute>,
  request: { query?: string; body?: object; ifMatch?: string },
) =>
  compileRouteMapping({ ...baseRoute, ...route }, types).variables({
    path: { id: '1' },
    query: request.query ?? '',
    body: { ...request.body },
    ifMatch: request.ifMatch,
  });

describe('variables of the operation', () => {
  it.each<[string, Partial<RestRoute>, Parameters<typeof variablesOf>[1], object]>([
    [
      'the body as input, the version of If-Match',
      {},
      { body: { a: 1 }, ifMatch: '"3-x"' },
      { input: { a: 1 }, version: 3 },
    ],
    [
      'body fields as variables',
      { bodyFields: ['force'] },
      { body: { force: true } },
      { force: true, input: {} },
    ],
    ['an alias', { inputAliases: { old: 'new' } }, { body: { old: 1, b: 2 } }, { input: { new: 1, b: 2 } }],
    [
      'an alias together with the current name',
      { inputAliases: { old: 'new' } },
      { body: { old: 1, new: 2 } },
      { input: { new: 2 } },
    ],
    [
      'an alias together with null',
      { inputAliases: { old: 'new' } },
      { body: { old: 1, new: null } },
      { input: { new: 1 } },
    ],
    [
      'null without an alias',
      { inputAliases: { old: 'new' } },
      { body: { new: null } },
      { input: { new: null } },
    ],
    ['ignored fields', { ignoredFields: ['id'] }, { body: { id: 1, b: 2 } }, { input: { b: 2 } }],
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
      { bodyFields: ['force'], query: { force: 'force' } },
      { query: 'force=false', body: { force: true } },
      { force: true },
    ],
    [
      'the query without the body',
      { bodyFields: ['force'], query: { force: 'force' } },
      { query: 'force=false' },
      { force: false },
    ],
    ['no unknown parameters', { query: {} }, { query: 'first=1&version=2' }, { version: undefined }],
  ])('%s', (_name, route, request, expected) => {
    expect(variablesOf(route, request)).toEqual({ id: '1', input: expect.anything(), ...expected });
  });

  it('throws when it is compiled if a variable does not exist', () => {
    expect(() => variablesOf({ query: { a: 'nothing' } }, {})).toThrow(
      'PUT /:id: the operation has no $nothing for the query parameter a.',
    );
  });
});

describe('response body', () => {
  const bodyOf = (response: RestRoute['response'], data: unknown) =>
    compileRouteMapping({ ...baseRoute, response }, types).responseBody(data);
  const page = (hasNextPage: boolean) => ({ x: { nodes: [1], pageInfo: { hasNextPage, endCursor: 'c' } } });

  it.each<[string, RestRoute['response'], unknown, unknown]>([
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
      'the record instead of the fallback',
      { at: 'x.y', fallback: { u: 'x.z' } },
      { x: { y: { id: 1 }, z: 2 } },
      { id: 1 },
    ],
    [
      'the fallback without a record',
      { at: 'x.y', fallback: { u: 'x.z' } },
      { x: { y: null, z: 2 } },
      { u: 2 },
    ],
  ])('%s', (_name, response, data, expected) => {
    expect(bodyOf(response, data)).toEqual(expected);
  });
});
