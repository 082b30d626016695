/** Enum `kind` of a collection, the alternative to the free-form `type`. */
import { beforeAll, expect, it } from 'vitest';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { detailErrors } from '../support/shop-fixtures.ts';

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await testApp();
  shop = await t.shop();
});

const call = (method: string, path: string, body: object) =>
  t.rest<{ id: string; type: string }>(method, `/v1/businesses/${shop.businessId}/collections${path}`, {
    as: shop.admin,
    body,
  });

const listByKind = async (kind: string) => {
  const { data } = await t.graphql(
    `query ($b: ID!, $kind: CollectionKind) {
      collections(businessId: $b, kind: $kind) { nodes { type kind } } }`,
    { b: shop.businessId, kind },
    { as: shop.admin },
  );
  const result = data as unknown as { collections: { nodes: { type: string; kind: string }[] } };
  return result.collections.nodes.map((node) => [node.type, node.kind]);
};

it('sets the type of the same name, and distinguishes newsletters from all other types', async () => {
  const letter = await call('POST', '', { name: 'Letter', kind: 'NEWSLETTER' });
  const blog = await call('POST', '', { name: 'Blog', type: 'BLOG' });
  const plain = await call('POST', '', { name: 'Plain', kind: 'STANDARD' });
  expect([letter, blog, plain].map(({ body }) => body.type)).toEqual(['NEWSLETTER', 'BLOG', 'STANDARD']);
  expect(await listByKind('NEWSLETTER')).toEqual([['NEWSLETTER', 'NEWSLETTER']]);
  expect(await listByKind('STANDARD')).toEqual([
    ['STANDARD', 'STANDARD'],
    ['BLOG', 'STANDARD'],
  ]);
  const renamed = await call('PUT', `/${blog.body.id}`, { name: 'Blog of mine' });
  expect(renamed.body.type).toBe('BLOG');
  expect((await call('PUT', `/${blog.body.id}`, { kind: 'NEWSLETTER' })).body.type).toBe('NEWSLETTER');
});

it('is rejected together with type or with an unknown value', async () => {
  const both = await call('POST', '', { name: '', kind: 'NEWSLETTER', type: 'BLOG' });
  expect(detailErrors(both.body).sort()).toEqual(['kind INVALID_VALUE', 'name TOO_SHORT']);
  const unknown = await call('POST', '', { name: 'Blog', kind: 'BLOG' });
  expect(detailErrors(unknown.body)).toEqual(['kind INVALID_VALUE']);
});
