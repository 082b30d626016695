/** Slugs that entries had: links to them go on leading there, until another entry takes them over. */
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

interface Found extends Entry {
  redirect?: { from: string; to?: string };
}

let blog: { id: string };
let count = 0;
beforeAll(async () => {
  blog = await createCollection({ status: 'PUBLISHED' });
});

/** Slugs of one test, which no other test has. */
const names = () => {
  count += 1;
  return ['a', 'b', 'c', 'd'].map((name) => `${name}${count}`) as [string, string, string, string];
};
const made = async (value: unknown, status = 'PUBLISHED') =>
  (await createEntry({ collectionId: blog.id, blocks: [titleBlock('T'), slugBlock(value)], status })).body.id;
const rename = (id: string, value: unknown) =>
  t.rest('PUT', `${entries}/${id}`, { as: editor, body: { blocks: [titleBlock('T'), slugBlock(value)] } });
const get = (address: string, as: Person = guest) =>
  t.rest<Found>('GET', `${entries}/${encodeURIComponent(address)}`, { as });
const led = async (address: string, as: Person = guest) => {
  const { status, body } = await get(address, as);
  return status === 200 ? [body.id, body.redirect] : status;
};

describe('an old slug', () => {
  it('leads to its entry and says the present one, in both voices', async () => {
    const [a, b, c] = names();
    const id = await made(a);
    await rename(id, b);
    await rename(id, c);
    expect(await led(a)).toEqual([id, { from: a, to: c }]);
    expect(await led(b)).toEqual([id, { from: b, to: c }]);
    expect(await led(c)).toEqual([id, undefined]);
    expect(await led(id)).toEqual([id, undefined]);
    const query = 'query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) { id redirect { from to } } }';
    const { data } = await t.graphql(query, { b: shop.businessId, id: a }, { as: guest });
    expect(data).toEqual({ entry: { id, redirect: { from: a, to: c } } });
  });

  it('is no longer old when its entry has it again, and leads on when there is none', async () => {
    const [a, b] = names();
    const id = await made(a);
    await rename(id, b);
    await rename(id, a);
    expect([await led(a), await led(b)]).toEqual([
      [id, undefined],
      [id, { from: b, to: a }],
    ]);
    await t.rest('PUT', `${entries}/${id}`, { as: editor, body: { blocks: [titleBlock('T')] } });
    expect(await led(a)).toEqual([id, { from: a }]);
  });

  it('leads to the present one of its locale', async () => {
    const [a, b, c, d] = names();
    const id = await made({ en: a, de: b });
    await rename(id, { en: c, de: d });
    const at = (locale: string, name: string) => `${shop.businessId}:${locale}:${name}`;
    expect(await led(b)).toEqual([id, { from: b, to: d }]);
    expect(await led(at('de', b))).toEqual([id, { from: b, to: d }]);
    expect(await led(at('en', b))).toBe(404);
    expect(await led(at('en', a))).toEqual([id, { from: a, to: c }]);
    const [plain] = names();
    const everywhere = await made(plain);
    await rename(everywhere, { en: `${plain}-en`, de: `${plain}-de` });
    expect(await led(at('de', plain))).toEqual([everywhere, { from: plain, to: `${plain}-de` }]);
  });

  it('belongs to the entry that takes it over, for those who see that one, and to who had it last', async () => {
    const [a, b, c] = names();
    const first = await made(a);
    await rename(first, b);
    const second = await made(a, 'DRAFT');
    expect(await led(a)).toEqual([first, { from: a, to: b }]);
    expect(await led(a, editor)).toEqual([second, undefined]);
    await t.rest('PUT', `${entries}/${second}`, { as: editor, body: { status: 'PUBLISHED' } });
    expect(await led(a)).toEqual([second, undefined]);
    await rename(second, c);
    expect(await led(a)).toEqual([second, { from: a, to: c }]);
    await t.rest('DELETE', `${entries}/${second}`, { as: editor });
    expect(await led(a)).toEqual([first, { from: a, to: b }]);
  });

  it('shows nothing that was hidden, leads nobody out of the business, and changes nothing', async () => {
    const [a, b, c] = names();
    const hidden = await made(a, 'DRAFT');
    await rename(hidden, b);
    expect([await led(a), await led(a, other.admin)]).toEqual([404, 404]);
    expect(await led(a, editor)).toEqual([hidden, { from: a, to: b }]);
    const elsewhere = `/v1/businesses/${other.businessId}/entries`;
    for (const address of [a, `${shop.businessId}:en:${a}`])
      expect((await t.rest('GET', `${elsewhere}/${address}`, { as: other.admin })).status).toBe(404);
    expect((await t.rest('PUT', `${entries}/${a}`, { as: editor, body: { locale: 'de' } })).status).toBe(404);
    expect((await t.rest('DELETE', `${entries}/${a}`, { as: editor })).status).toBe(404);
    const body = { blocks: [titleBlock('T'), slugBlock(c)] };
    await t.rest('PUT', `${entries}/${hidden}/draft`, { as: editor, body });
    expect(await led(c, editor)).toBe(404);
    await t.rest('POST', `${entries}/${hidden}/draft/publish`, { as: editor, body: {} });
    expect(await led(b)).toEqual([hidden, { from: b, to: c }]);
  });

  it('is one of the last hundred, and not of any length', async () => {
    const [a, b] = names();
    const long = 'x'.repeat(201);
    const id = await made(long);
    await t.db.sql(
      `insert into entry_old_slugs (entry_id, locale, slug, business_id, replaced_at)
       select $1, '', 'old-' || n, $2, n from generate_series(1, 200) n`,
      [id, shop.businessId],
    );
    expect((await rename(id, a)).status).toBe(200);
    expect(await led(long)).toBe(404);
    await rename(id, { en: b, de: '' });
    const [kept] = await t.db.sql('select count(*)::int from entry_old_slugs where entry_id = $1', [id]);
    expect(kept).toEqual({ count: 100 });
    expect(await led(a)).toEqual([id, { from: a, to: b }]);
  });
});
