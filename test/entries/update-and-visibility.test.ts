/** Updating and deleting entries, their visibility, permissions and pagination. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { createEmptyOrder } from '../support/insert-empty-order.ts';
import {
  base,
  createCollection,
  createEntry,
  editor,
  entries,
  guest,
  idsOf,
  listEntries,
  other,
  shop,
  slugBlock,
  t,
  titleBlock,
} from './setup.ts';

describe('update and delete', () => {
  it('updates only the given fields, appends statuses and rejects a stale version', async () => {
    const blog = await createCollection();
    const { body } = await createEntry({ collectionId: blog.id, blocks: [titleBlock('Old')] });
    const path = `${entries}/${body.id}`;
    const changed = await t.rest('PUT', path, {
      as: editor,
      headers: { 'if-match': '"1"' },
      body: { status: 'PUBLISHED' },
    });
    expect(changed.body).toMatchObject({
      blocks: [titleBlock('Old')],
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

  it('returns entries stored under an older schema, and validates against the new schema on update', async () => {
    const blog = await createCollection();
    const { body } = await createEntry({
      collectionId: blog.id,
      blocks: [titleBlock('Old')],
      status: 'PUBLISHED',
    });
    await t.rest('PUT', `${base}/collections/${blog.id}`, {
      as: editor,
      body: { blocks: [{ id: 'headline', type: 'TEXT', required: true }] },
    });
    const path = `${entries}/${body.id}`;
    expect((await t.rest('GET', path, { as: guest })).body).toMatchObject({ blocks: [titleBlock('Old')] });
    const status = await t.rest('PUT', path, { as: editor, body: { status: 'DRAFT' } });
    expect(status.status).toBe(200);
    expect(await t.rest('PUT', path, { as: editor, body: { blocks: [titleBlock('New')] } })).toMatchObject({
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

  it('sanitises stored plain text when its block becomes rich text', async () => {
    const blog = await createCollection({ blocks: [{ id: 'note', type: 'TEXT' }] });
    const note = (value: unknown) => ({ id: 'note', type: 'TEXT', value });
    const { body: hostile } = await createEntry({
      collectionId: blog.id,
      blocks: [note({ en: '<script>1</script>a', de: 'b' })],
    });
    const { body: harmless } = await createEntry({ collectionId: blog.id, blocks: [note('plain')] });
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

  it('moves an entry to another collection only if its blocks match that schema', async () => {
    const [blog, shelf] = [
      await createCollection(),
      await createCollection({ name: 'Shelf', blocks: [{ id: 'count', type: 'NUMBER' }] }),
    ];
    const { body } = await createEntry({ collectionId: blog.id, blocks: [titleBlock('A')] });
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

describe('visibility and permissions', () => {
  it('hides drafts, entries of unpublished collections and entries of orders in every query', async () => {
    const [open, hidden] = [
      await createCollection(),
      await createCollection({ name: 'Hidden', status: 'DRAFT' }),
    ];
    const customer = await t.person();
    const createWithStatus = async (collectionId: string, status: string) =>
      (await createEntry({ collectionId, blocks: [titleBlock(status), slugBlock(`s-${newId()}`)], status }))
        .body;
    const live = await createWithStatus(open.id, 'PUBLISHED');
    const secrets = [
      await createWithStatus(open.id, 'DRAFT'),
      await createWithStatus(open.id, 'ARCHIVED'),
      await createWithStatus(hidden.id, 'PUBLISHED'),
      (
        await createEntry({
          owner: `order:${await createEmptyOrder(t, shop, customer)}`,
          status: 'PUBLISHED',
        })
      ).body,
      (await createEntry({ owner: 'reservation:r-7', status: 'PUBLISHED' })).body,
    ];
    const all = [live, ...secrets].map(({ id }) => id);
    const visibleTo = async (as: Person) => {
      const graphql = await t.graphql(
        `query($b: ID!, $ids: [ID!]) { entries(businessId: $b, ids: $ids) { totalCount nodes { id } } }`,
        { b: shop.businessId, ids: all },
        { as },
      );
      const read = await Promise.all(
        all.map(async (id) => (await t.rest('GET', `${entries}/${id}`, { as })).status),
      );
      return {
        listed: idsOf(await listEntries(`ids=${all.join(',')}`, as)).length,
        drafts: idsOf(await listEntries(`collectionId=${open.id}&status=DRAFT`, as)).length,
        hidden: idsOf(await listEntries(`owner=collection:${hidden.slug}`, as)).length,
        reservation: idsOf(await listEntries('owner=reservation:r-7', as)).length,
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
    expect(await visibleTo(guest)).toEqual(publicView);
    expect(await visibleTo(customer)).toEqual(publicView);
    expect(await visibleTo(other.admin)).toEqual(publicView);
    expect(await visibleTo(editor)).toEqual({
      listed: 6,
      drafts: 1,
      hidden: 1,
      reservation: 1,
      counted: 6,
      read: [200, 200, 200, 200, 200, 200],
    });
  });

  it.each([
    ['an unauthenticated client', 401, () => undefined],
    ['a guest', 403, () => guest],
    ['the admin of another business', 403, () => other.admin],
    ['an editor', 422, () => editor],
  ] as [string, number, () => Person | undefined][])(
    'creating an entry as %s returns %i',
    async (_label, status, as) => {
      expect((await t.rest('POST', entries, { as: as(), body: { locale: 7 } })).status).toBe(status);
    },
  );

  it('returns 404 to staff of another business', async () => {
    const blog = await createCollection();
    const { body } = await createEntry({
      collectionId: blog.id,
      blocks: [titleBlock('Wall')],
      status: 'PUBLISHED',
    });
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

describe('pagination', () => {
  it('paginates newest first and filters by locale', async () => {
    const blog = await createCollection();
    const createdIds: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      const { body } = await createEntry({
        collectionId: blog.id,
        locale: number % 2 ? 'de' : 'en',
        blocks: [titleBlock(`${number}`)],
      });
      createdIds.unshift(body.id);
    }
    const listedIds: string[] = [];
    let cursor: string | null = '';
    do {
      const page: Awaited<ReturnType<typeof listEntries>> = await listEntries(
        `collectionId=${blog.id}&limit=2&cursor=${cursor ?? ''}`,
      );
      listedIds.push(...idsOf(page));
      cursor = page.body.cursor;
    } while (cursor);
    expect(listedIds).toEqual(createdIds);
    expect(idsOf(await listEntries(`collectionId=${blog.id}&locale=de`))).toEqual([
      createdIds[1],
      createdIds[3],
    ]);
    expect((await listEntries('cursor=forged')).body).toMatchObject({
      details: [{ field: 'cursor', error: 'INVALID_CURSOR' }],
    });
  });
});
