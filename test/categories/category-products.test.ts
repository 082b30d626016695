/** Products of categories: filters by slug or id, sub-categories, facets, the link from products, imports and public reads. */
import { beforeAll, describe, expect, it } from 'vitest';
import { exportContent, jsonl, runBulk } from '../bulk/setup.ts';
import { detailErrors } from '../support/shop-fixtures.ts';
import {
  addProductIn,
  type CategoryBody,
  call,
  createCategory,
  guest,
  type Listed,
  other,
  shop,
  slugsOf,
  t,
} from './setup.ts';

let drinks: CategoryBody;
let tea: CategoryBody;

beforeAll(async () => {
  drinks = await createCategory({ name: 'Drinks' });
  tea = await createCategory({ name: 'Tea', parentId: 'drinks' });
  await createCategory({ name: 'Green tea', parentId: 'tea' });
  for (const category of ['drinks', 'tea', 'green-tea', 'No record', 'other']) await addProductIn(category);
});

const namesAt = async (path: string) => {
  const { body } = await call<Listed<{ name: string }>>('GET', path, undefined, { as: guest });
  return body.items.map(({ name }) => name.replace('In ', '')).sort();
};

describe('products', () => {
  it('are filtered by slug, id or plain text, with sub-categories on request', async () => {
    expect(await namesAt('products?category=tea')).toEqual(['tea']);
    expect(await namesAt(`products?category=${tea.id}`)).toEqual(['tea']);
    expect(await namesAt('products?category=No record')).toEqual(['No record']);
    expect(await namesAt(`products?categoryIds=${tea.id},other`)).toEqual(['other', 'tea']);
    expect(await namesAt('products?category=tea&includeSubcategories=true')).toEqual(['green-tea', 'tea']);
    expect(await namesAt(`products?categoryIds=${drinks.id},other&includeSubcategories=true`)).toEqual([
      'drinks',
      'green-tea',
      'other',
      'tea',
    ]);
    expect(await namesAt(`products?category=${shop.businessId}&includeSubcategories=true`)).toEqual([]);
    const filtered = await t.graphql(
      `query ($b: ID!, $id: String!) { products(businessId: $b, includeSubcategories: true, sort: NAME, filter: { categories: [$id] }) {
         nodes { category } totalCount } }`,
      { b: shop.businessId, id: tea.id },
      { as: guest },
    );
    expect(filtered.data).toEqual({
      products: { nodes: [{ category: 'green-tea' }, { category: 'tea' }], totalCount: 2 },
    });
  });

  it('are listed below their category, by pages', async () => {
    expect(await namesAt('categories/drinks/products')).toEqual(['drinks', 'green-tea', 'tea']);
    expect(await namesAt(`categories/${drinks.id}/products?includeSubcategories=false`)).toEqual(['drinks']);
    const first = await call<Listed<{ name: string }>>('GET', 'categories/drinks/products?limit=2');
    expect(first.body.items).toHaveLength(2);
    const rest = `categories/drinks/products?limit=2&cursor=${first.body.cursor}`;
    expect(await namesAt(rest)).toHaveLength(1);
    expect((await call('GET', 'categories/none/products')).status).toBe(404);
  });

  it('count in the facets of all their categories', async () => {
    const { body } = await call<{
      categories: object[];
      categoryTree: { category: CategoryBody; count: number }[];
    }>('GET', 'product-facets?category=drinks&includeSubcategories=true');
    expect(body.categoryTree.map(({ category, count }) => `${category.name} ${count}`)).toEqual([
      'Drinks 3',
      'Tea 2',
      'Green tea 1',
    ]);
    expect(body.categories).toHaveLength(3);
  });

  it('name a category by id or slug, and have it as a record', async () => {
    const created = await call<{ id: string; category: string }>('POST', 'products', {
      name: 'Sencha',
      categoryId: tea.id,
    });
    expect(created.body.category).toBe('tea');
    const path = `products/${created.body.id}`;
    const moved = await call<{ category: string }>('PATCH', path, { categoryId: 'drinks' });
    expect(moved.body.category).toBe('drinks');
    const query = `query ($b: ID!, $id: ID!) { product(businessId: $b, id: $id) { category categoryRecord { name parent { id } } } }`;
    const read = async () =>
      (await t.graphql(query, { b: shop.businessId, id: created.body.id }, { as: guest })).data;
    expect(await read()).toEqual({
      product: { category: 'drinks', categoryRecord: { name: 'Drinks', parent: null } },
    });
    await call('PATCH', path, { category: 'just text' });
    expect(await read()).toEqual({ product: { category: 'just text', categoryRecord: null } });
    const foreign = await createCategory({ name: 'Elsewhere' }, other);
    for (const categoryId of ['none', foreign.id])
      expect(detailErrors((await call('PATCH', path, { categoryId })).body)).toEqual([
        'categoryId CATEGORY_NOT_FOUND',
      ]);
    const both = await call('PATCH', path, { categoryId: 'tea', category: 'tea' });
    expect(detailErrors(both.body)).toEqual(['categoryId INVALID_VALUE']);
    await call('DELETE', path);
  });
});

it('imports and exports the tree, into another business, too', async () => {
  const exported = await exportContent(t, shop, { resource: 'CATEGORIES' });
  const lines = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as CategoryBody);
  expect(lines.map(({ slug, parentId }) => `${slug} in ${parentId}`)).toEqual([
    'drinks in undefined',
    'tea in drinks',
    'green-tea in tea',
  ]);
  const target = await t.shop();
  const content = jsonl(...lines);
  expect(await runBulk(t, target, 'imports', { resource: 'CATEGORIES', content })).toMatchObject({
    done: 3,
    failed: 0,
  });
  expect(await runBulk(t, target, 'imports', { resource: 'CATEGORIES', content })).toMatchObject({
    done: 3,
    failed: 0,
  });
  const list = await call<Listed<CategoryBody>>('GET', 'categories', undefined, { of: target });
  expect(list.body.items.map(({ slug, version }) => `${slug} ${version}`)).toEqual([
    'drinks 2',
    'tea 2',
    'green-tea 2',
  ]);
});

it('are public with publicRead, and not without', async () => {
  const path = `/v1/businesses/${shop.businessId}/categories`;
  expect((await t.rest('GET', path)).status).toBe(401);
  await t.rest('PUT', `/v1/businesses/${shop.businessId}`, { as: shop.admin, body: { publicRead: true } });
  const { status, body } = await t.rest<Listed<CategoryBody>>('GET', path);
  expect([status, body.items.map(({ slug }) => slug)]).toEqual([200, await slugsOf()]);
  expect((await t.rest('GET', `${path}/tea/products`)).status).toBe(200);
});
