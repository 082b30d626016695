/** Categories: tree, texts by locale, rules of changes, permissions, concurrent moves. */
import { describe, expect, it } from 'vitest';
import { detailErrors } from '../support/shop-fixtures.ts';
import {
  addProductIn,
  type CategoryBody,
  call,
  create,
  createCategory,
  guest,
  other,
  shop,
  slugsOf,
  t,
} from './setup.ts';

describe('a category', () => {
  it('has texts by locale and an image, in both protocols', async () => {
    const image = { url: 'https://img.example/tea.png', mimeType: 'image/png', alt: 'A pot' };
    const created = await createCategory({
      name: 'Tea & more',
      description: 'Loose.',
      translations: [
        { locale: 'de', name: 'Tee' },
        { locale: 'de-AT', name: 'Tee, bitte' },
      ],
      image,
    });
    expect(created).toMatchObject({ slug: 'tea-more', name: 'Tea & more', position: 0, version: 1 });
    const read = async (query: string) => (await call('GET', `categories/tea-more${query}`)).body;
    expect(await read('')).toEqual(created);
    expect(await read('?locale=de-CH')).toMatchObject({ name: 'Tee', description: 'Loose.' });
    expect(await read('?locale=de-AT')).toMatchObject({ name: 'Tee, bitte' });
    expect(await read('?locale=fr')).toMatchObject({ name: 'Tea & more' });
    const { data } = await t.graphql(
      `query ($b: ID!, $id: ID!) { category(businessId: $b, id: $id) { name(locale: "de") image { url alt } parent { id } }
         node(id: $id) { ... on Category { slug } } }`,
      { b: shop.businessId, id: created.id },
      { as: guest },
    );
    expect(data).toEqual({
      category: { name: 'Tee', image: { url: image.url, alt: 'A pot' }, parent: null },
      node: { slug: 'tea-more' },
    });
    const changed = await call('PATCH', 'categories/tea-more', { image: null, slug: 'Tea, and more' });
    expect(changed.body).toMatchObject({ slug: 'Tea, and more', version: 2 });
    expect(changed.body).not.toHaveProperty('image');
    expect((await call('GET', `categories/${encodeURIComponent('Tea, and more')}`)).body).toEqual(
      changed.body,
    );
  });

  it('reports all invalid fields at once', async () => {
    await createCategory({ name: 'Taken' });
    const invalid = await call('POST', 'categories', {
      name: ' ',
      slug: shop.businessId,
      position: -1,
      translations: [{ locale: '?' }, { locale: 'de' }, { locale: 'DE' }],
    });
    expect([invalid.status, ...detailErrors(invalid.body).sort()]).toEqual([
      422,
      'name TOO_SHORT',
      'position TOO_SMALL',
      'slug INVALID_FORMAT',
      'translations.0.locale INVALID_LOCALE',
      'translations.2.locale DUPLICATE_LOCALE',
    ]);
    const image = { mediaId: shop.businessId };
    const unresolved = await call('POST', 'categories', {
      name: 'X',
      slug: 'taken',
      parentId: 'none',
      image,
    });
    expect(detailErrors(unresolved.body).sort()).toEqual([
      'image.mediaId MEDIA_NOT_FOUND',
      'parentId CATEGORY_NOT_FOUND',
      'slug SLUG_TAKEN',
    ]);
  });

  it('is changed by staff with PRODUCTS_WRITE of its own business only', async () => {
    const { id } = await createCategory({ name: 'Walled' });
    const foreign = await createCategory({ name: 'Foreign' }, other);
    const statuses = async (as: typeof guest) => [
      (await call('POST', 'categories', { name: 'X' }, { as })).status,
      (await call('PATCH', `categories/${id}`, { name: 'X' }, { as })).status,
      (await call('DELETE', `categories/${id}`, undefined, { as })).status,
    ];
    expect(await statuses(guest)).toEqual([403, 403, 403]);
    expect(await statuses(other.admin)).toEqual([403, 404, 404]);
    expect((await call('GET', `categories/${foreign.id}`)).status).toBe(404);
    expect((await call('PATCH', `categories/${foreign.id}`, { name: 'X' })).status).toBe(404);
    const below = await call('POST', 'categories', { name: 'X', parentId: foreign.id });
    expect(detailErrors(below.body)).toEqual(['parentId CATEGORY_NOT_FOUND']);
    const path = `/v1/businesses/${id}/categories`;
    expect((await t.rest('GET', path, { as: guest })).status).toBe(404);
  });
});

describe('the tree', () => {
  it('is listed in tree order, by pages, levels and parents', async () => {
    const of = await t.shop();
    const add = (name: string, body: object = {}) => createCategory({ name, ...body }, of);
    await add('A');
    await add('B');
    await add('B2', { parentId: 'b' });
    await add('B1', { parentId: 'b', position: 0 });
    await add('B11', { parentId: 'b1' });
    await add('Z', { position: 0 });
    const list = async (query: string) =>
      (
        await call<{ items: CategoryBody[]; cursor: string | null }>('GET', `categories${query}`, undefined, {
          of,
        })
      ).body;
    const slugs = (body: { items: CategoryBody[] }) => body.items.map(({ slug }) => slug).join(' ');
    expect(slugs(await list(''))).toBe('a z b b2 b1 b11');
    const first = await list('?limit=3');
    expect(slugs(first)).toBe('a z b');
    expect(slugs(await list(`?limit=3&cursor=${first.cursor}`))).toBe('b2 b1 b11');
    expect(slugs(await list('?topLevel=true'))).toBe('a z b');
    expect(slugs(await list('?parentId=b'))).toBe('b2 b1');
    await call('PATCH', 'categories/b2', { position: 1 }, { of });
    expect(slugs(await list('?parentId=b'))).toBe('b1 b2');
    const { data } = await t.graphql(
      `query ($b: ID!) { categories(businessId: $b, last: 2) { totalCount nodes { slug ancestors { slug } children { slug } } }
         category(businessId: $b, id: "b") { children { slug children { slug } } } }`,
      { b: of.businessId },
      { as: guest },
    );
    expect(data).toEqual({
      categories: {
        totalCount: 6,
        nodes: [
          { slug: 'b11', ancestors: [{ slug: 'b' }, { slug: 'b1' }], children: [] },
          { slug: 'b2', ancestors: [{ slug: 'b' }], children: [] },
        ],
      },
      category: {
        children: [
          { slug: 'b1', children: [{ slug: 'b11' }] },
          { slug: 'b2', children: [] },
        ],
      },
    });
  });

  it('reads relatives of all categories with a constant number of statements', async () => {
    const root = await createCategory({ name: 'Counted' });
    const query = (first: number) => {
      t.statements.length = 0;
      return t.graphql(
        `query ($b: ID!, $p: ID!, $n: Int!) { categories(businessId: $b, parentId: $p, first: $n) {
           nodes { slug parent { slug } ancestors { slug } children { slug } } } }`,
        { b: shop.businessId, p: root.id, n: first },
        { as: guest },
      );
    };
    for (const name of ['C1', 'C2', 'C3']) await createCategory({ name, parentId: root.id });
    await query(1);
    const one = t.statements.length;
    await query(3);
    expect(t.statements.length).toBe(one);
  });

  it('has no circles, also of concurrent moves, and at most eight levels', async () => {
    const [a, b] = [await createCategory({ name: 'Circle A' }), await createCategory({ name: 'Circle B' })];
    expect(detailErrors((await call('PATCH', `categories/${a.id}`, { parentId: a.id })).body)).toEqual([
      'parentId CATEGORY_CIRCLE',
    ]);
    const moves = await Promise.all([
      call('PATCH', `categories/${a.id}`, { parentId: b.id }),
      call('PATCH', `categories/${b.id}`, { parentId: a.id }),
    ]);
    expect(moves.map(({ status }) => status).sort()).toEqual([200, 422]);
    const refused = moves.find(({ status }) => status === 422);
    expect(detailErrors(refused?.body)).toEqual(['parentId CATEGORY_CIRCLE']);
    let parentId: string | null = null;
    for (let level = 1; level <= 8; level += 1)
      parentId = (await createCategory({ name: `Level ${level}`, parentId })).id;
    const below = await call('POST', 'categories', { name: 'Level 9', parentId });
    expect(detailErrors(below.body)).toEqual(['parentId TOO_DEEP']);
    const moved = await call('PATCH', 'categories/level-1', { parentId: a.id });
    expect(detailErrors(moved.body)).toEqual(['parentId TOO_DEEP']);
    expect((await call('PATCH', 'categories/level-7', { parentId: null })).body).not.toHaveProperty(
      'parentId',
    );
  });

  it('deletes empty categories; others only with force, which moves the children up', async () => {
    await createCategory({ name: 'Top' });
    await createCategory({ name: 'Middle', parentId: 'top' });
    const leaf = await createCategory({ name: 'Leaf', parentId: 'middle' });
    await addProductIn('middle');
    const refused = await call('DELETE', 'categories/middle');
    expect(detailErrors(refused.body)).toEqual(['force CATEGORY_NOT_EMPTY']);
    expect(JSON.stringify(refused.body)).toContain('1 sub-categories and products');
    expect((await call('DELETE', 'categories/middle?force=true')).status).toBe(200);
    const top = (await call('GET', 'categories/top')).body;
    expect((await call('GET', 'categories/leaf')).body).toMatchObject({
      parentId: top.id,
      version: leaf.version + 1,
    });
    expect((await call('DELETE', 'categories/leaf')).status).toBe(200);
    expect((await call('DELETE', 'categories/top')).status).toBe(200);
    expect((await call('DELETE', 'categories/top')).status).toBe(404);
    expect(await slugsOf('?limit=100')).not.toContain('leaf');
  });

  it('keeps the slug that products or tax rates have', async () => {
    await createCategory({ name: 'Sold' });
    await createCategory({ name: 'Taxed' });
    await addProductIn('sold');
    await create('markets', {
      code: 'AT',
      currency: 'EUR',
      taxBps: 2000,
      taxRates: [{ category: 'taxed', taxBps: 1000 }],
    });
    for (const slug of ['sold', 'taxed']) {
      const renamed = await call('PATCH', `categories/${slug}`, { slug: 'free', name: 'Renamed' });
      expect(detailErrors(renamed.body)).toEqual(['slug CATEGORY_IN_USE']);
      expect((await call('PATCH', `categories/${slug}`, { slug, name: 'Renamed' })).status).toBe(200);
    }
  });

  it('is recorded in the change history', async () => {
    const { id } = await createCategory({ name: 'Logged' });
    await call('PATCH', `categories/${id}`, { name: 'Logged too' });
    await call('DELETE', `categories/${id}`);
    const { body } = await call<{ items: { kind: string; action: string }[] }>(
      'GET',
      `changes?recordId=${id}`,
    );
    expect(body.items.map(({ kind, action }) => `${action} ${kind}`)).toEqual([
      'DELETE CATEGORY',
      'UPDATE CATEGORY',
      'CREATE CATEGORY',
    ]);
  });
});
