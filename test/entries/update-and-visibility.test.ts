/** Changing entries, and who sees which of them. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import type { Person } from '../support/app.ts';
import { emptyOrder } from '../support/orders.ts';
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

describe('change and delete', () => {
  it('changes only what is sent, appends statuses and refuses a stale version', async () => {
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

  it('reads what an older schema let through, and checks it against the new one when it is written again', async () => {
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

  it('sanitises what was plain text when its block becomes rich text', async () => {
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

  it('moves to another collection only with blocks that fit there', async () => {
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

describe('visibility and permission', () => {
  it('hides drafts, entries of hidden collections and what belongs to orders, on every path', async () => {
    const [open, hidden] = [
      await createCollection(),
      await createCollection({ name: 'Hidden', status: 'DRAFT' }),
    ];
    const customer = await t.person();
    const make = async (collectionId: string, status: string) =>
      (await createEntry({ collectionId, blocks: [titleBlock(status), slugBlock(`s-${newId()}`)], status }))
        .body;
    const live = await make(open.id, 'PUBLISHED');
    const secrets = [
      await make(open.id, 'DRAFT'),
      await make(open.id, 'ARCHIVED'),
      await make(hidden.id, 'PUBLISHED'),
      (await createEntry({ owner: `order:${await emptyOrder(t, shop, customer)}`, status: 'PUBLISHED' }))
        .body,
      (await createEntry({ owner: 'reservation:r-7', status: 'PUBLISHED' })).body,
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

describe('pages', () => {
  it('walks the list newest first and filters by locale', async () => {
    const blog = await createCollection();
    const made: string[] = [];
    for (let number = 0; number < 5; number += 1) {
      const { body } = await createEntry({
        collectionId: blog.id,
        locale: number % 2 ? 'de' : 'en',
        blocks: [titleBlock(`${number}`)],
      });
      made.unshift(body.id);
    }
    const walked: string[] = [];
    let cursor: string | null = '';
    do {
      const page: Awaited<ReturnType<typeof listEntries>> = await listEntries(
        `collectionId=${blog.id}&limit=2&cursor=${cursor ?? ''}`,
      );
      walked.push(...idsOf(page));
      cursor = page.body.cursor;
    } while (cursor);
    expect(walked).toEqual(made);
    expect(idsOf(await listEntries(`collectionId=${blog.id}&locale=de`))).toEqual([made[1], made[3]]);
    expect((await listEntries('cursor=forged')).body).toMatchObject({
      details: [{ field: 'cursor', error: 'INVALID_CURSOR' }],
    });
  });
});
