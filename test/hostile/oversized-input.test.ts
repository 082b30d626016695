/** Oversized input is rejected quickly with a short response, in both protocols. */
import { beforeAll, describe, expect, it } from 'vitest';
import { routes } from '../../src/generated/domains/routes.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
});

type Details = { field: string; error: string; message: string }[];

const productsPath = () => `/v1/businesses/${shop.businessId}/products`;
const create =
  'mutation ($b: ID!, $input: CreateProductInput!) { createProduct(businessId: $b, input: $input) { product { id } } }';

/** The error details of the same input over REST and GraphQL. */
async function rejectionDetails(body: object): Promise<Details[]> {
  const rest = await t.rest<{ details: Details }>('POST', productsPath(), { as: shop.admin, body });
  expect(rest.status).toBe(422);
  const graphql = await t.graphql(create, { b: shop.businessId, input: body }, { as: shop.admin });
  expect(graphql.errors[0]?.extensions.code).toBe('VALIDATION_FAILED');
  return [rest.body.details, graphql.errors[0]?.extensions.details ?? []];
}

const repeat = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

describe('lists', () => {
  it('reports at most 100 errors, then the number of further ones', async () => {
    for (const details of await rejectionDetails({ name: 'X', variants: repeat(300, { name: 7 }) })) {
      expect(details).toHaveLength(101);
      expect(details.at(-1)).toEqual({ field: '', error: 'AND_MORE', message: 'And 200 more.' });
    }
    for (const details of await rejectionDetails({ name: '', variants: repeat(4000, 7) })) {
      expect(details).toHaveLength(101);
      expect(details.at(-1)?.message).toBe('And at least 900 more.');
    }
  });

  it('rejects lists that are too long without validating their items', async () => {
    for (const details of await rejectionDetails({ name: 'X', variants: repeat(150_000, 7) }))
      expect(details).toContainEqual({
        field: 'variants',
        error: 'TOO_LONG',
        message: 'Must have at most 5000 items.',
      });
    const blocks = repeat(40, { id: 'b', key: 'b', type: 'MULTI_SELECT', value: repeat(1000, 'x') });
    for (const details of await rejectionDetails({ name: 'X', blocks }))
      expect(details.map(({ error }) => error)).toContain('TOO_LONG');
  });

  it('limits the errors of unknown fields in the same way', async () => {
    const input = Object.fromEntries(repeat(50_000, 0).map((_item, index) => [`f${index}`, 1]));
    const { errors } = await t.graphql(create, { b: shop.businessId, input }, { as: shop.admin });
    expect(errors[0]?.extensions.details).toHaveLength(101);
  });
});

const pathSegments: Record<string, string> = {
  NUL: '%00',
  'a line break': 'a%0Ab',
  'an escape': '%1B%5B2J',
  DEL: '%7F',
  'a C1 control': '%C2%85',
  'broken UTF-8': '%FF',
  'a lone surrogate': '%ED%A0%80',
  'a very long name': 'x'.repeat(5000),
  'a very long name, encoded': '%C3%A4'.repeat(700),
};

describe.each(Object.entries(pathSegments))('a path with %s', (_name, segment) => {
  it('is 404 on every route and in every parameter', async () => {
    const token = { authorization: `Bearer ${shop.admin.token}` };
    for (const { method, path } of routes) {
      const names = path.split('/').filter((name) => name.startsWith(':'));
      for (const invalidName of names) {
        const filled = path.replace(/:\w+/g, (name) => (name === invalidName ? segment : shop.businessId));
        const response = await t.app.fetch(
          new Request(`http://duet.test${filled}`, {
            method,
            headers: { ...token, accept: 'application/json', 'content-type': 'application/json' },
            ...(method === 'POST' || method === 'PUT' ? { body: '{}' } : {}),
          }),
        );
        const { error } = (await response.json()) as { error: string };
        expect([method, filled.slice(0, 100), response.status, error]).toEqual([
          method,
          filled.slice(0, 100),
          404,
          'NOT_FOUND',
        ]);
      }
    }
  });
});
