/** Entry versions: listing, comparison and restore. */
import { describe, expect, it } from 'vitest';
import { diffEntryVersions } from '../../src/domains/entries/versions/diff-versions.ts';
import type { Person } from '../support/app.ts';
import {
  base,
  createCollection,
  createEntry,
  editor,
  entries,
  guest,
  other,
  shop,
  t,
  titleBlock,
} from './setup.ts';

const change = (id: string, body: object) => t.rest('PUT', `${entries}/${id}`, { as: editor, body });
const get = <Body>(path: string, as: Person | undefined = editor) =>
  t.rest<Body>('GET', `${entries}/${path}`, { as });
const restore = (id: string, from: number, as = editor, headers = {}) =>
  t.rest<{ details: object[] }>('POST', `${entries}/${id}/restore`, { as, body: { from }, headers });
const versionsOf = (id: string, query = '') =>
  get<{ items: { version: number }[]; cursor: string | null }>(`${id}/versions${query}`);

const createWithVersions = async () => {
  const blog = await createCollection();
  const { body } = await createEntry({
    collectionId: blog.id,
    blocks: [titleBlock({ en: 'One', de: 'Eins' })],
  });
  await change(body.id, { blocks: [titleBlock({ en: 'Two', fr: 'Deux' })] });
  await change(body.id, { status: 'PUBLISHED' });
  await t.rest('PUT', `${entries}/${body.id}/schedule`, { as: editor, body: {} });
  return { id: body.id, blog };
};

describe('versions', () => {
  it('are stored when content or status change, and are paginated', async () => {
    const { id } = await createWithVersions();
    const { body } = await versionsOf(id);
    expect(body).toMatchObject({
      items: [
        { version: 3, status: 'PUBLISHED', blocks: [titleBlock({ en: 'Two', fr: 'Deux' })], actor: 'USER' },
        { version: 2, status: 'DRAFT', userId: editor.userId, userName: 'Somebody' },
        { version: 1, blocks: [titleBlock({ en: 'One', de: 'Eins' })], locale: 'en' },
      ],
      cursor: null,
    });
    const first = await versionsOf(id, '?limit=2');
    const rest = await versionsOf(id, `?limit=2&cursor=${first.body.cursor}`);
    expect([...first.body.items, ...rest.body.items].map(({ version }) => version)).toEqual([3, 2, 1]);
  });

  it('return typed block values with a constant number of SQL statements', async () => {
    const { id, blog } = await createWithVersions();
    await t.rest('PUT', `${base}/collections/${blog.id}`, {
      as: editor,
      body: { blocks: [{ id: 'about', type: 'RELATIONSHIP', settings: { targetType: 'COLLECTION' } }] },
    });
    const about = { id: 'about', type: 'RELATIONSHIP', value: blog.id };
    await change(id, { blocks: [about] });
    const query = `query($b: ID!, $id: ID!, $first: Int) { entryVersions(businessId: $b, id: $id, first: $first) { nodes {
      about: block(id: "about") { asRelationship { ... on Collection { id } } }
      title: block(id: "title") { type text(locale: "fr") } } } }`;
    const queryVersions = async (first: number) => {
      t.statements.length = 0;
      const { data } = await t.graphql(query, { b: shop.businessId, id, first }, { as: editor });
      return { data, statements: t.statements.length };
    };
    const all = await queryVersions(10);
    expect(all.data).toEqual({
      entryVersions: {
        nodes: [
          { about: { asRelationship: { id: blog.id } }, title: null },
          { about: null, title: { type: 'TEXT', text: 'Deux' } },
          { about: null, title: { type: 'TEXT', text: 'Deux' } },
          { about: null, title: { type: 'TEXT', text: 'One' } },
        ],
      },
    });
    expect((await queryVersions(1)).statements).toBe(all.statements);
  });

  it('are cut off at the page size limit in bytes, and are complete across pages', async () => {
    const { body: blog } = await t.rest<{ id: string }>('POST', `${base}/collections`, {
      as: editor,
      body: { name: 'Long', blocks: [{ id: 'body', type: 'TEXT' }] },
    });
    const long = (letter: string) => {
      const text = letter.repeat(90_000);
      return [{ id: 'body', type: 'TEXT', value: { en: text, de: text, fr: text, es: text, it: text } }];
    };
    const { body } = await createEntry({ collectionId: blog.id, blocks: long('a') });
    for (const letter of 'bcde') expect((await change(body.id, { blocks: long(letter) })).status).toBe(200);
    const listedVersions: number[] = [];
    let cursor: string | null = '';
    do {
      const page: Awaited<ReturnType<typeof versionsOf>> = await versionsOf(body.id, `?cursor=${cursor}`);
      expect(page.body.items.length).toBeGreaterThan(0);
      listedVersions.push(...page.body.items.map(({ version }) => version));
      cursor = page.body.cursor;
    } while (cursor);
    expect(listedVersions).toEqual([5, 4, 3, 2, 1]);
  });

  it('are limited to 100 per entry', async () => {
    const { id } = await createWithVersions();
    await t.db.write(
      `insert into entry_versions (id, entry_id, version, locale, blocks, status, actor, created_at)
       select gen_random_uuid(), $1, -n, 'en', '[]', 'DRAFT', 'SYSTEM', 1 from generate_series(1, 200) n`,
      [id],
    );
    await change(id, { locale: 'de' });
    const [stored] = await t.db.sql(
      'select count(*)::int, max(version) from entry_versions where entry_id = $1',
      [id],
    );
    expect(stored).toEqual({ count: 100, max: 5 });
  });

  it('are compared path by path', async () => {
    const { id } = await createWithVersions();
    expect((await get(`${id}/differences?from=1&to=2`)).body).toEqual({
      from: 1,
      to: 2,
      differences: [
        { path: ['blocks', 'title', 'value', 'de'], before: 'Eins' },
        { path: ['blocks', 'title', 'value', 'en'], before: 'One', after: 'Two' },
        { path: ['blocks', 'title', 'value', 'fr'], after: 'Deux' },
      ],
    });
    // Version 4 changed only the schedule, so its content is that of version 3.
    expect((await get(`${id}/differences?from=2`)).body).toEqual({
      from: 2,
      to: 4,
      differences: [{ path: ['status'], before: 'DRAFT', after: 'PUBLISHED' }],
    });
    for (const query of ['from=0', 'from=x', 'to=1'])
      expect([query, (await get(`${id}/differences?${query}`)).status]).toEqual([query, 422]);
    expect((await get(`${id}/differences?from=9`)).status).toBe(404);
  });

  it('are restored as a new version that matches the current schema', async () => {
    const { id, blog } = await createWithVersions();
    expect(await restore(id, 1, editor, { 'if-match': '"1"' })).toMatchObject({ status: 412 });
    expect((await restore(id, 1)).body).toMatchObject({
      version: 5,
      blocks: [titleBlock({ en: 'One', de: 'Eins' })],
      statuses: [{ status: 'DRAFT' }, { status: 'PUBLISHED' }],
    });
    expect((await restore(id, 6)).status).toBe(404);
    await t.rest('PUT', `${base}/collections/${blog.id}`, {
      as: editor,
      body: { blocks: [{ id: 'title', type: 'TEXT', settings: { maxLength: 3 } }] },
    });
    expect(await restore(id, 1)).toMatchObject({
      status: 422,
      body: { details: [{ field: 'blocks.0.value.de' }] },
    });
    expect((await restore(id, 2)).status).toBe(422);
    expect((await versionsOf(id)).body.items[0]).toMatchObject({ version: 5 });
  });

  it('require CONTENT_WRITE in the business', async () => {
    const { id } = await createWithVersions();
    const limited = await t.withApiKey(shop.admin, ['PRODUCTS_WRITE']);
    for (const [as, status] of [
      [undefined, 401],
      [guest, 403],
      [limited, 403],
      [other.admin, 404],
    ] as const) {
      const answers = await Promise.all([
        t.rest('GET', `${entries}/${id}/versions`, { as }),
        t.rest('GET', `${entries}/${id}/differences?from=1`, { as }),
        t.rest('POST', `${entries}/${id}/restore`, { as, body: { from: 1 } }),
      ]);
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
    }
    const elsewhere = `/v1/businesses/${other.businessId}/entries/${id}`;
    for (const path of ['versions', 'differences?from=1'])
      expect((await t.rest('GET', `${elsewhere}/${path}`, { as: other.admin })).status).toBe(404);
    expect(
      (await t.rest('POST', `${elsewhere}/restore`, { as: other.admin, body: { from: 1 } })).status,
    ).toBe(404);
  });
});

it('reports added, removed, changed and reordered blocks', () => {
  const text = (id: string, value: unknown) => ({ id, type: 'TEXT' as const, value });
  const of = (...blocks: ReturnType<typeof text>[]) => ({ locale: 'en', status: 'DRAFT' as const, blocks });
  expect(
    diffEntryVersions(
      of(text('a', 1), text('b', [1])),
      of(text('b', [1, 2]), text('a', 1), text('c.d', null)),
    ),
  ).toEqual([
    { path: ['blocks', 'b', 'value'], before: [1], after: [1, 2] },
    { path: ['blocks', 'c.d'], after: { type: 'TEXT', value: null } },
    { path: ['order'], before: ['a', 'b'], after: ['b', 'a', 'c.d'] },
  ]);
  expect(diffEntryVersions(of(text('__proto__', 1)), of())).toEqual([
    { path: ['blocks', '__proto__'], before: { type: 'TEXT', value: 1 } },
  ]);
});
