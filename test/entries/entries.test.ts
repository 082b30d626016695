/** Entries in both voices: owners, locales, statuses, slugs and who sees what. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import { type Person, type Shop, type TestApp, testApp } from '../support/app.ts';
import { emptyOrder } from '../support/orders.ts';

let t: TestApp;
let shop: Shop;
let other: Shop;
let guest: Person;
let editor: Person;
let base: string;
let entries: string;

interface Entry {
  id: string;
  version: number;
  blocks: { id: string; value: unknown }[];
}

beforeAll(async () => {
  t = await testApp();
  [shop, other, guest] = await Promise.all([t.shop(), t.shop(), t.guest()]);
  editor = await t.hire(shop, await t.person(), 'EDITOR');
  base = `/v1/businesses/${shop.businessId}`;
  entries = `${base}/entries`;
});

const collection = async (body: object = {}) => {
  const created = await t.rest<{ id: string; slug: string }>('POST', `${base}/collections`, {
    as: editor,
    body: {
      name: 'Blog',
      blocks: [
        { id: 'title', type: 'TEXT', required: true, settings: { maxLength: 20 } },
        { id: 'slug', type: 'TEXT' },
      ],
      ...body,
    },
  });
  expect(created.status).toBe(200);
  return created.body;
};

const create = (body: object, as: Person = editor) => t.rest<Entry>('POST', entries, { as, body });
const title = (value: unknown) => ({ id: 'title', type: 'TEXT', value });
const slug = (value: unknown) => ({ id: 'slug', type: 'TEXT', value });
const ids = (answer: { body: { items: { id: string }[] } }) => answer.body.items.map(({ id }) => id);
const list = (query: string, as: Person = editor) =>
  t.rest<{ items: Entry[]; cursor: string | null }>('GET', `${entries}?${query}`, { as });

describe('create and read', () => {
  it('answers the whole entry, the same in create, get, list and GraphQL', async () => {
    const blog = await collection();
    const blocks = [title({ en: 'Hello', 'de-AT': 'Servus' }), slug('hello')];
    const created = await create({
      collectionId: blog.id,
      locale: 'en-GB',
      blocks,
      statuses: [{ id: 's1', status: 'DRAFT' }, { status: 'PUBLISHED' }],
      businessId: 'ignored',
    });
    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      businessId: shop.businessId,
      owner: `collection:${blog.id}`,
      locale: 'en-GB',
      blocks,
      statuses: [
        {
          id: 's1',
          status: 'DRAFT',
          changedBy: 'USER',
          userId: editor.userId,
          timestamp: expect.any(Number),
        },
        {
          id: expect.any(String),
          status: 'PUBLISHED',
          changedBy: 'USER',
          userId: editor.userId,
          timestamp: expect.any(Number),
        },
      ],
      version: 1,
      createdAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    const read = await t.rest('GET', `${entries}/${created.body.id}`, { as: guest });
    expect(read.body).toEqual(created.body);
    expect((await list(`collectionId=${blog.id}`, guest)).body).toEqual({
      items: [created.body],
      cursor: null,
    });
    const viaGraphql = await t.graphql(
      `query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) {
         status collectionId collection { slug } title: block(id: "title") { text austrian: text(locale: "de_at") swiss: text(locale: "fr-CH") value }
         none: block(id: "__proto__") { id } } }`,
      { b: shop.businessId, id: created.body.id },
      { as: guest },
    );
    expect(viaGraphql.errors).toEqual([]);
    expect(viaGraphql.data).toEqual({
      entry: {
        status: 'PUBLISHED',
        collectionId: blog.id,
        collection: { slug: blog.slug },
        title: {
          text: 'Hello',
          austrian: 'Servus',
          swiss: 'Hello',
          value: { en: 'Hello', 'de-AT': 'Servus' },
        },
        none: null,
      },
    });
  });

  it('is a draft in English unless told otherwise, and takes the status shorthand', async () => {
    const blog = await collection();
    const draft = await create({ collectionId: blog.id, blocks: [title('A')] });
    expect(draft.body).toMatchObject({ locale: 'en', statuses: [{ status: 'DRAFT' }] });
    const live = await create({ collectionId: blog.id, blocks: [title('A')], status: 'PUBLISHED' });
    expect(live.body).toMatchObject({ statuses: [{ status: 'PUBLISHED' }] });
  });

  it('takes the collection by id or slug, as collectionId or owner', async () => {
    const blog = await collection();
    for (const named of [
      { collectionId: blog.slug },
      { owner: `collection:${blog.id}` },
      { owner: `collection:${blog.slug}` },
      { collectionId: blog.id, owner: 'reservation:other' },
    ]) {
      expect((await create({ ...named, blocks: [title('A')] })).body).toMatchObject({
        owner: `collection:${blog.id}`,
      });
    }
    for (const filter of [
      `collectionId=${blog.slug}`,
      `owner=collection:${blog.slug}`,
      `owner=collection:${blog.id}`,
    ])
      expect((await list(filter)).body.items).toHaveLength(4);
    expect((await list('owner=planet:mars')).body).toMatchObject({
      details: [{ field: 'owner', error: 'INVALID_OWNER' }],
    });
  });

  it.each([
    [{}, 'collectionId REQUIRED'],
    [{ collectionId: 'no-such' }, 'collectionId COLLECTION_NOT_FOUND'],
    [{ collectionId: newId() }, 'collectionId COLLECTION_NOT_FOUND'],
    [{ owner: 'planet:mars' }, 'owner INVALID_OWNER'],
    [{ owner: 'order:not-an-id' }, 'owner ORDER_NOT_FOUND'],
    [{ owner: `order:${newId()}` }, 'owner ORDER_NOT_FOUND'],
    [{ owner: 'collection:' }, 'owner INVALID_OWNER'],
    [{ owner: 'reservation:r1', locale: 'not a locale' }, 'locale INVALID_LOCALE'],
  ])('refuses the owner %j', async (named, fault) => {
    const answer = await t.rest<{ details: { field: string; error: string }[] }>('POST', entries, {
      as: editor,
      body: named,
    });
    expect(answer.status).toBe(422);
    expect(answer.body.details.map(({ field, error }) => `${field} ${error}`)).toEqual([fault]);
  });

  it('refuses the collection of another business', async () => {
    const theirs = await t.rest<{ id: string }>('POST', `/v1/businesses/${other.businessId}/collections`, {
      as: other.admin,
      body: { name: 'Theirs' },
    });
    expect(await create({ collectionId: theirs.body.id })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'collectionId', error: 'COLLECTION_NOT_FOUND' }] },
    });
  });

  it('gives the first answer again under the same key', async () => {
    const blog = await collection();
    const call = (value: string) =>
      t.rest('POST', entries, {
        as: editor,
        headers: { 'idempotency-key': 'entry-1' },
        body: { collectionId: blog.id, blocks: [title(value)] },
      });
    const [first, second] = [await call('A'), await call('A')];
    expect(second.body).toEqual(first.body);
    expect((await call('B')).status).toBe(409);
    expect((await list(`collectionId=${blog.id}`)).body.items).toHaveLength(1);
  });
});

describe('slugs', () => {
  it('finds an entry by the value of its block slug, per locale', async () => {
    const blog = await collection();
    const both = await create({
      collectionId: blog.id,
      blocks: [title('A'), slug({ en: 'about-us', de: 'ueber-uns' })],
      status: 'PUBLISHED',
    });
    const plain = await create({
      collectionId: blog.id,
      blocks: [title('A'), slug('contact')],
      status: 'PUBLISHED',
    });
    const german = await create({
      collectionId: blog.id,
      locale: 'de',
      blocks: [title('A'), slug('contact')],
      status: 'PUBLISHED',
    });
    const find = async (address: string) => {
      const answer = await t.rest<Entry>('GET', `${entries}/${address}`, { as: guest });
      return answer.status === 200 ? answer.body.id : answer.status;
    };
    const triple = (locale: string, name: string) => `${shop.businessId}:${locale}:${name}`;
    expect(await find(triple('en', 'about-us'))).toBe(both.body.id);
    expect(await find(triple('de', 'ueber-uns'))).toBe(both.body.id);
    expect(await find(triple('de', 'about-us'))).toBe(404);
    expect(await find(triple('en', 'contact'))).toBe(plain.body.id);
    expect(await find(triple('de', 'contact'))).toBe(german.body.id);
    expect(await find('about-us')).toBe(both.body.id);
    expect(await find(`${other.businessId}:en:about-us`)).toBe(404);
    expect(await find('no-such')).toBe(404);
    const ambiguous = await t.rest('DELETE', `${entries}/contact`, { as: editor });
    expect(ambiguous).toMatchObject({
      status: 422,
      body: { details: [{ field: 'id', error: 'AMBIGUOUS_SLUG' }] },
    });
    const one = await t.rest('PUT', `${entries}/${triple('en', 'about-us')}`, {
      as: editor,
      body: { locale: 'fr' },
    });
    expect(one.body).toMatchObject({ id: both.body.id, locale: 'fr' });
  });
});

describe('change and delete', () => {
  it('changes only what is sent, appends statuses and refuses a stale version', async () => {
    const blog = await collection();
    const { body } = await create({ collectionId: blog.id, blocks: [title('Old')] });
    const path = `${entries}/${body.id}`;
    const changed = await t.rest('PUT', path, {
      as: editor,
      headers: { 'if-match': '"1"' },
      body: { status: 'PUBLISHED' },
    });
    expect(changed.body).toMatchObject({
      blocks: [title('Old')],
      statuses: [{ status: 'DRAFT' }, { status: 'PUBLISHED' }],
      version: 2,
    });
    expect(
      (await t.rest('PUT', path, { as: editor, headers: { 'if-match': '"1"' }, body: { locale: 'de' } }))
        .status,
    ).toBe(412);
    expect(await t.rest('DELETE', path, { as: editor })).toMatchObject({
      status: 200,
      body: { id: body.id, deleted: true },
    });
    expect((await t.rest('DELETE', path, { as: editor })).status).toBe(404);
  });

  it('reads what an older schema let through, and checks it against the new one when it is written again', async () => {
    const blog = await collection();
    const { body } = await create({ collectionId: blog.id, blocks: [title('Old')], status: 'PUBLISHED' });
    await t.rest('PUT', `${base}/collections/${blog.id}`, {
      as: editor,
      body: { blocks: [{ id: 'headline', type: 'TEXT', required: true }] },
    });
    const path = `${entries}/${body.id}`;
    expect((await t.rest('GET', path, { as: guest })).body).toMatchObject({ blocks: [title('Old')] });
    const status = await t.rest('PUT', path, { as: editor, body: { status: 'DRAFT' } });
    expect(status.status).toBe(200);
    expect(await t.rest('PUT', path, { as: editor, body: { blocks: [title('New')] } })).toMatchObject({
      status: 422,
      body: {
        details: [
          { field: 'blocks.0.id', error: 'UNKNOWN_BLOCK' },
          { field: 'blocks.headline', error: 'REQUIRED' },
        ],
      },
    });
    const fixed = await t.rest('PUT', path, {
      as: editor,
      body: { blocks: [{ id: 'headline', type: 'TEXT', value: 'New' }] },
    });
    expect(fixed.status).toBe(200);
  });

  it('sanitises what was plain text when its block becomes rich text', async () => {
    const blog = await collection({ blocks: [{ id: 'note', type: 'TEXT' }] });
    const note = (value: unknown) => ({ id: 'note', type: 'TEXT', value });
    const { body: hostile } = await create({
      collectionId: blog.id,
      blocks: [note({ en: '<script>1</script>a', de: 'b' })],
    });
    const { body: harmless } = await create({ collectionId: blog.id, blocks: [note('plain')] });
    const change = (variant: string) =>
      t.rest('PUT', `${base}/collections/${blog.id}`, {
        as: editor,
        body: { blocks: [{ id: 'note', type: 'TEXT', settings: { variant } }] },
      });
    expect((await change('HTML')).status).toBe(200);
    const read = async (id: string) => (await t.rest('GET', `${entries}/${id}`, { as: editor })).body;
    expect(await read(hostile.id)).toMatchObject({ blocks: [note({ en: 'a', de: 'b' })], version: 2 });
    expect(await read(harmless.id)).toMatchObject({ blocks: [note('plain')], version: 1 });
  });

  it('moves to another collection only with blocks that fit there', async () => {
    const [blog, shelf] = [
      await collection(),
      await collection({ name: 'Shelf', blocks: [{ id: 'count', type: 'NUMBER' }] }),
    ];
    const { body } = await create({ collectionId: blog.id, blocks: [title('A')] });
    const path = `${entries}/${body.id}`;
    expect((await t.rest('PUT', path, { as: editor, body: { collectionId: shelf.id } })).status).toBe(422);
    const moved = await t.rest('PUT', path, {
      as: editor,
      body: { collectionId: shelf.id, blocks: [{ id: 'count', type: 'NUMBER', value: 3 }] },
    });
    expect(moved.body).toMatchObject({
      owner: `collection:${shelf.id}`,
      blocks: [{ id: 'count', value: 3 }],
    });
  });
});

describe('visibility and permission', () => {
  it('hides drafts, entries of hidden collections and what belongs to orders, on every path', async () => {
    const [open, hidden] = [await collection(), await collection({ name: 'Hidden', status: 'DRAFT' })];
    const customer = await t.person();
    const make = async (collectionId: string, status: string) =>
      (await create({ collectionId, blocks: [title(status), slug(`s-${newId()}`)], status })).body;
    const live = await make(open.id, 'PUBLISHED');
    const secrets = [
      await make(open.id, 'DRAFT'),
      await make(open.id, 'ARCHIVED'),
      await make(hidden.id, 'PUBLISHED'),
      (await create({ owner: `order:${await emptyOrder(t, shop, customer)}`, status: 'PUBLISHED' })).body,
      (await create({ owner: 'reservation:r-7', status: 'PUBLISHED' })).body,
    ];
    const all = [live, ...secrets].map(({ id }) => id);
    const seen = async (as: Person) => {
      const graphql = await t.graphql(
        `query($b: ID!, $ids: [ID!]) { entries(businessId: $b, ids: $ids) { totalCount nodes { id } } }`,
        { b: shop.businessId, ids: all },
        { as },
      );
      const read = await Promise.all(
        all.map(async (id) => (await t.rest('GET', `${entries}/${id}`, { as })).status),
      );
      return {
        listed: ids(await list(`ids=${all.join(',')}`, as)).length,
        drafts: ids(await list(`collectionId=${open.id}&status=DRAFT`, as)).length,
        hidden: ids(await list(`owner=collection:${hidden.slug}`, as)).length,
        reservation: ids(await list('owner=reservation:r-7', as)).length,
        counted: (graphql.data?.entries as { totalCount: number } | undefined)?.totalCount,
        read,
      };
    };
    const publicView = {
      listed: 1,
      drafts: 0,
      hidden: 0,
      reservation: 0,
      counted: 1,
      read: [200, 404, 404, 404, 404, 404],
    };
    expect(await seen(guest)).toEqual(publicView);
    expect(await seen(customer)).toEqual(publicView);
    expect(await seen(other.admin)).toEqual(publicView);
    expect(await seen(editor)).toEqual({
      listed: 6,
      drafts: 1,
      hidden: 1,
      reservation: 1,
      counted: 6,
      read: [200, 200, 200, 200, 200, 200],
    });
  });

  it.each([
    ['nobody', 401, () => undefined],
    ['a guest', 403, () => guest],
    ['the admin of another business', 403, () => other.admin],
    ['an editor', 422, () => editor],
  ] as [string, number, () => Person | undefined][])('creating as %s: %i', async (_who, status, as) => {
    expect((await t.rest('POST', entries, { as: as(), body: { locale: 7 } })).status).toBe(status);
  });

  it('tells staff of another business that an addressed record does not exist', async () => {
    const blog = await collection();
    const { body } = await create({ collectionId: blog.id, blocks: [title('Wall')], status: 'PUBLISHED' });
    for (const [method, payload] of [
      ['PUT', { status: 'DRAFT' }],
      ['DELETE', undefined],
    ] as const) {
      for (const [businessId, as, status] of [
        [shop.businessId, other.admin, 404],
        [other.businessId, other.admin, 404],
        [shop.businessId, guest, 403],
        [shop.businessId, undefined, 401],
      ] as const) {
        const answer = await t.rest(method, `/v1/businesses/${businessId}/entries/${body.id}`, {
          as,
          body: payload,
        });
        expect([method, answer.status]).toEqual([method, status]);
      }
    }
    expect((await t.rest('GET', `${entries}/${body.id}`, { as: guest })).body).toMatchObject({ version: 1 });
  });
});

describe('pages', () => {
  it('walks the list newest first and filters by locale', async () => {
    const blog = await collection();
    const made: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      const { body } = await create({
        collectionId: blog.id,
        locale: number % 2 ? 'de' : 'en',
        blocks: [title(`${number}`)],
      });
      made.unshift(body.id);
    }
    const walked: string[] = [];
    let cursor: string | null = '';
    do {
      const page: Awaited<ReturnType<typeof list>> = await list(
        `collectionId=${blog.id}&limit=2&cursor=${cursor ?? ''}`,
      );
      walked.push(...ids(page));
      cursor = page.body.cursor;
    } while (cursor);
    expect(walked).toEqual(made);
    expect(ids(await list(`collectionId=${blog.id}&locale=de`))).toEqual([made[1], made[3]]);
    expect((await list('cursor=forged')).body).toMatchObject({
      details: [{ field: 'cursor', error: 'INVALID_CURSOR' }],
    });
  });
});
