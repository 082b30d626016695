/** Redirects from previous slugs of entries, until another entry takes over the slug. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../support/app.ts';
import {
  createCollection,
  createEntry,
  type Entry,
  editor,
  entries,
  guest,
  other,
  shop,
  slugBlock,
  t,
  titleBlock,
} from './setup.ts';

interface EntryWithRedirect extends Entry {
  redirect?: { from: string; to?: string };
}

let blog: { id: string };
let count = 0;
beforeAll(async () => {
  blog = await createCollection({ status: 'PUBLISHED' });
});

/** Four slugs that are unique to one test. */
const uniqueSlugs = () => {
  count += 1;
  return ['a', 'b', 'c', 'd'].map((name) => `${name}${count}`) as [string, string, string, string];
};
const createPublished = async (value: unknown, status = 'PUBLISHED') =>
  (await createEntry({ collectionId: blog.id, blocks: [titleBlock('T'), slugBlock(value)], status })).body.id;
const rename = (id: string, value: unknown) =>
  t.rest('PUT', `${entries}/${id}`, { as: editor, body: { blocks: [titleBlock('T'), slugBlock(value)] } });
const get = (address: string, as: Person = guest) =>
  t.rest<EntryWithRedirect>('GET', `${entries}/${encodeURIComponent(address)}`, { as });
const resolve = async (address: string, as: Person = guest) => {
  const { status, body } = await get(address, as);
  return status === 200 ? [body.id, body.redirect] : status;
};

describe('a previous slug', () => {
  it('redirects to the current slug, over REST and GraphQL', async () => {
    const [a, b, c] = uniqueSlugs();
    const id = await createPublished(a);
    await rename(id, b);
    await rename(id, c);
    expect(await resolve(a)).toEqual([id, { from: a, to: c }]);
    expect(await resolve(b)).toEqual([id, { from: b, to: c }]);
    expect(await resolve(c)).toEqual([id, undefined]);
    expect(await resolve(id)).toEqual([id, undefined]);
    const query = 'query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) { id redirect { from to } } }';
    const { data } = await t.graphql(query, { b: shop.businessId, id: a }, { as: guest });
    expect(data).toEqual({ entry: { id, redirect: { from: a, to: c } } });
  });

  it('stops redirecting when the entry has it again, and redirects to nothing when the slug is removed', async () => {
    const [a, b] = uniqueSlugs();
    const id = await createPublished(a);
    await rename(id, b);
    await rename(id, a);
    expect([await resolve(a), await resolve(b)]).toEqual([
      [id, undefined],
      [id, { from: b, to: a }],
    ]);
    await t.rest('PUT', `${entries}/${id}`, { as: editor, body: { blocks: [titleBlock('T')] } });
    expect(await resolve(a)).toEqual([id, { from: a }]);
  });

  it('redirects to the current slug of the same locale', async () => {
    const [a, b, c, d] = uniqueSlugs();
    const id = await createPublished({ en: a, de: b });
    await rename(id, { en: c, de: d });
    const at = (locale: string, name: string) => `${shop.businessId}:${locale}:${name}`;
    expect(await resolve(b)).toEqual([id, { from: b, to: d }]);
    expect(await resolve(at('de', b))).toEqual([id, { from: b, to: d }]);
    expect(await resolve(at('en', b))).toBe(404);
    expect(await resolve(at('en', a))).toEqual([id, { from: a, to: c }]);
    const [plain] = uniqueSlugs();
    const everywhere = await createPublished(plain);
    await rename(everywhere, { en: `${plain}-en`, de: `${plain}-de` });
    expect(await resolve(at('de', plain))).toEqual([everywhere, { from: plain, to: `${plain}-de` }]);
  });

  it('resolves to the entry that took it over, if visible, otherwise to the entry that had it last', async () => {
    const [a, b, c] = uniqueSlugs();
    const first = await createPublished(a);
    await rename(first, b);
    const second = await createPublished(a, 'DRAFT');
    expect(await resolve(a)).toEqual([first, { from: a, to: b }]);
    expect(await resolve(a, editor)).toEqual([second, undefined]);
    await t.rest('PUT', `${entries}/${second}`, { as: editor, body: { status: 'PUBLISHED' } });
    expect(await resolve(a)).toEqual([second, undefined]);
    await rename(second, c);
    expect(await resolve(a)).toEqual([second, { from: a, to: c }]);
    await t.rest('DELETE', `${entries}/${second}`, { as: editor });
    expect(await resolve(a)).toEqual([first, { from: a, to: b }]);
  });

  it('does not reveal hidden entries, stays within the business, and is not accepted for writes', async () => {
    const [a, b, c] = uniqueSlugs();
    const hidden = await createPublished(a, 'DRAFT');
    await rename(hidden, b);
    expect([await resolve(a), await resolve(a, other.admin)]).toEqual([404, 404]);
    expect(await resolve(a, editor)).toEqual([hidden, { from: a, to: b }]);
    const elsewhere = `/v1/businesses/${other.businessId}/entries`;
    for (const address of [a, `${shop.businessId}:en:${a}`])
      expect((await t.rest('GET', `${elsewhere}/${address}`, { as: other.admin })).status).toBe(404);
    expect((await t.rest('PUT', `${entries}/${a}`, { as: editor, body: { locale: 'de' } })).status).toBe(404);
    expect((await t.rest('DELETE', `${entries}/${a}`, { as: editor })).status).toBe(404);
    const body = { blocks: [titleBlock('T'), slugBlock(c)] };
    await t.rest('PUT', `${entries}/${hidden}/draft`, { as: editor, body });
    expect(await resolve(c, editor)).toBe(404);
    await t.rest('POST', `${entries}/${hidden}/draft/publish`, { as: editor, body: {} });
    expect(await resolve(b)).toEqual([hidden, { from: b, to: c }]);
  });

  it('is stored for the last 100 slugs of up to 200 characters', async () => {
    const [a, b] = uniqueSlugs();
    const long = 'x'.repeat(201);
    const id = await createPublished(long);
    await t.db.write(
      `insert into entry_old_slugs (entry_id, locale, slug, business_id, replaced_at)
       select $1, '', 'old-' || n, $2, n from generate_series(1, 200) n`,
      [id, shop.businessId],
    );
    expect((await rename(id, a)).status).toBe(200);
    expect(await resolve(long)).toBe(404);
    await rename(id, { en: b, de: '' });
    const [stored] = await t.db.sql('select count(*)::int from entry_old_slugs where entry_id = $1', [id]);
    expect(stored).toEqual({ count: 100 });
    expect(await resolve(a)).toEqual([id, { from: a, to: b }]);
  });
});
