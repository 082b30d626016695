/** Input in bulk: refused quickly, with a short answer, in both voices. */
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

const productRow = () => `/v1/businesses/${shop.businessId}/products`;
const create =
  'mutation ($b: ID!, $input: CreateProductInput!) { createProduct(businessId: $b, input: $input) { product { id } } }';

/** The details of the same refusal in both voices. */
async function refusals(body: object): Promise<Details[]> {
  const rest = await t.rest<{ details: Details }>('POST', productRow(), { as: shop.admin, body });
  expect(rest.status).toBe(422);
  const graphql = await t.graphql(create, { b: shop.businessId, input: body }, { as: shop.admin });
  expect(graphql.errors[0]?.extensions.code).toBe('VALIDATION_FAILED');
  return [rest.body.details, graphql.errors[0]?.extensions.details ?? []];
}

const many = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

describe('lists', () => {
  it('tells at most 100 faults, then how many more there were', async () => {
    for (const details of await refusals({ name: 'X', variants: many(300, { name: 7 }) })) {
      expect(details).toHaveLength(101);
      expect(details.at(-1)).toEqual({ field: '', error: 'AND_MORE', message: 'And 200 more.' });
    }
    for (const details of await refusals({ name: '', variants: many(4000, 7) })) {
      expect(details).toHaveLength(101);
      expect(details.at(-1)?.message).toBe('And at least 900 more.');
    }
  });

  it('refuses lists that are too long, without looking into them', async () => {
    for (const details of await refusals({ name: 'X', variants: many(150_000, 7) }))
      expect(details).toContainEqual({
        field: 'variants',
        error: 'TOO_LONG',
        message: 'Must have at most 5000 items.',
      });
    const blocks = many(40, { id: 'b', key: 'b', type: 'MULTI_SELECT', value: many(1000, 'x') });
    for (const details of await refusals({ name: 'X', blocks }))
      expect(details.map(({ error }) => error)).toContain('TOO_LONG');
  });

  it('tells unknown fields in the same way', async () => {
    const input = Object.fromEntries(many(50_000, 0).map((_item, index) => [`f${index}`, 1]));
    const { errors } = await t.graphql(create, { b: shop.businessId, input }, { as: shop.admin });
    expect(errors[0]?.extensions.details).toHaveLength(101);
  });
});

const parts: Record<string, string> = {
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

describe.each(Object.entries(parts))('a path with %s', (_name, part) => {
  it('is not found, in any row and in any place', async () => {
    const token = { authorization: `Bearer ${shop.admin.token}` };
    for (const { method, path } of routes) {
      const names = path.split('/').filter((name) => name.startsWith(':'));
      for (const odd of names) {
        const filled = path.replace(/:\w+/g, (name) => (name === odd ? part : shop.businessId));
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
