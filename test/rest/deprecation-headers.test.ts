/** Deprecated input fields: response headers, OpenAPI flags and usage statistics. */
import { buildSchema, getOperationAST, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import openapi from '../../schema/openapi.json' with { type: 'json' };
import { getDeclaredVariableTypes } from '../../src/graphql/execute/coerce-variables.ts';
import { createDeprecatedUseFinder } from '../../src/graphql/execute/find-deprecated-uses.ts';
import { deprecations } from '../../src/graphql/schema/deprecations.ts';
import { buildDeprecationHeaders } from '../../src/rest/response-headers.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
});
afterAll(() => t.app.stop());

const promoCode = (body: object, headers = {}) =>
  t.rest('POST', `/v1/businesses/${shop.businessId}/promo-codes`, { as: shop.admin, body, headers });

describe('response headers', () => {
  it('contain the deprecation date of a sent field, also in validation errors', async () => {
    const created = await promoCode({ code: 'OLD', type: 'PERCENTAGE', bps: 500 });
    expect([created.status, created.headers.get('deprecation')]).toEqual([200, '@1794700800']);
    expect(created.headers.get('sunset')).toBeNull();
    expect(created.headers.get('access-control-expose-headers')).toMatch(/\bDeprecation, Sunset\b/);
    const rejected = await promoCode({ code: 'OLD', type: 'PERCENTAGE', bps: 500 });
    expect([rejected.status, rejected.headers.get('deprecation')]).toEqual([422, '@1794700800']);
  });

  it('are absent for current fields and for null', async () => {
    const created = await promoCode({ code: 'NEW', discount: { percentage: 500 }, bps: null });
    expect([created.status, created.headers.get('deprecation')]).toEqual([200, null]);
  });

  it('contain the earliest dates of all used fields', () => {
    const table = {
      'A.a': { since: '2026-11-15', reason: '' },
      'A.b': { since: '2026-11-01', sunset: '2027-06-01', reason: '' },
      'A.c': { since: '2026-12-01', sunset: '2027-05-01', reason: '' },
    };
    expect(buildDeprecationHeaders(['A.a'], table)).toEqual({ deprecation: '@1794700800' });
    expect(buildDeprecationHeaders(['A.a', 'A.b', 'A.c', 'A.unknown'], table)).toEqual({
      deprecation: '@1793491200',
      sunset: 'Sat, 01 May 2027 00:00:00 GMT',
    });
    expect(buildDeprecationHeaders([], table)).toEqual({});
  });
});

it('are counted per client, for REST and GraphQL', async () => {
  await promoCode({ code: 'COUNTED', type: 'PERCENTAGE', bps: 500 }, { 'x-client-name': 'old till' });
  await t.graphql(
    `mutation ($b: ID!, $i: CreatePromoCodeInput!) { createPromoCode(businessId: $b, input: $i) { promoCode { id } } }`,
    { b: shop.businessId, i: { code: 'VARIABLE', type: 'PERCENTAGE', bps: 500 } },
    { as: shop.admin, headers: { 'x-client-name': 'old app' } },
  );
  await t.app.services.usage.flush();
  const rows = await t.db.prisma.usage.findMany({
    where: { name: { startsWith: 'CreatePromoCodeInput.' }, client: { startsWith: 'old' } },
    orderBy: [{ client: 'asc' }, { name: 'asc' }],
  });
  expect(rows.map(({ client, name, calls }) => `${client} ${name} ${calls}`)).toEqual([
    'old app CreatePromoCodeInput.bps 1',
    'old app CreatePromoCodeInput.type 1',
    'old till CreatePromoCodeInput.bps 1',
    'old till CreatePromoCodeInput.type 1',
  ]);
});

it('are marked as deprecated in OpenAPI', () => {
  const marked = new Set<string>();
  const collectDeprecated = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { deprecated, 'x-graphql-field': field } = value as Record<string, unknown>;
    if (deprecated === true && typeof field === 'string') marked.add(field);
    for (const inner of Object.values(value)) collectDeprecated(inner);
  };
  collectDeprecated(openapi);
  expect([...marked].sort()).toEqual(Object.keys(deprecations).sort());
});

describe('a deprecated use', () => {
  const schema = buildSchema(`
    input In { old: Int @deprecated(reason: "x") deep: [In!] fine: Int other: Fine }
    input Fine { again: Fine }
    type Query {
      a(arg: Int @deprecated(reason: "x"), in: In, fine: Fine): Int
      gone: Int @deprecated(reason: "x")
    }`);
  const usesOf = (source: string) => {
    const node = getOperationAST(parse(source));
    if (!node) throw new Error(source);
    return createDeprecatedUseFinder(schema, node, getDeclaredVariableTypes(schema, node));
  };

  it.each([
    ['query ($x: Int) { a(arg: $x) }', { x: 1 }, ['Query.a.arg']],
    ['query ($x: Int) { a(arg: $x) }', { x: null }, []],
    ['query { a(arg: 2) }', {}, ['Query.a.arg']],
    ['query { gone }', {}, ['Query.gone']],
    ['query ($i: In) { a(in: $i) }', { i: { deep: [{ fine: 1 }, { old: 1 }] } }, ['In.old']],
    ['query ($i: In) { a(in: $i) }', { i: { deep: 'odd', old: undefined } }, []],
    ['query ($i: In) { a(in: $i) }', { i: [null, 3, { old: 1 }] }, ['In.old']],
    ['query ($f: Fine) { a(fine: $f) }', { f: { again: { again: {} } } }, []],
  ])('is found in %s with %j', (source, variables, expected) => {
    expect(usesOf(source)?.(variables as Record<string, unknown>) ?? []).toEqual(expected);
  });
});
