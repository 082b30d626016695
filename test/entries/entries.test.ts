/** Creating and reading entries over REST and GraphQL: owners, locales, statuses and slugs. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../src/lib/ids.ts';
import {
  createCollection,
  createEntry,
  type Entry,
  editor,
  entries,
  guest,
  listEntries,
  other,
  shop,
  slugBlock,
  t,
  titleBlock,
} from './setup.ts';

describe('create and read', () => {
  it('returns the same entry from create, get, list and GraphQL', async () => {
    const blog = await createCollection();
    const blocks = [titleBlock({ en: 'Hello', 'de-AT': 'Servus' }), slugBlock('hello')];
    const created = await createEntry({
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
    const read = await t.rest('GET', `${entries}/${created.body.id}`, { as: editor });
    expect(read.body).toEqual(created.body);
    expect((await listEntries(`collectionId=${blog.id}`, editor)).body).toEqual({
      items: [created.body],
      cursor: null,
    });
    const viaGraphql = await t.graphql(
      `query($b: ID!, $id: ID!) { entry(businessId: $b, id: $id) {
         status collectionId collection { slug } title: block(id: "title") { text austrian: text(locale: "de_at") swiss: text(locale: "fr-CH") value }
         none: block(id: "__proto__") { id: key } } }`,
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

  it('defaults to DRAFT and locale en, and accepts the status shorthand', async () => {
    const blog = await createCollection();
    const draft = await createEntry({ collectionId: blog.id, blocks: [titleBlock('A')] });
    expect(draft.body).toMatchObject({ locale: 'en', statuses: [{ status: 'DRAFT' }] });
    const live = await createEntry({ collectionId: blog.id, blocks: [titleBlock('A')], status: 'PUBLISHED' });
    expect(live.body).toMatchObject({ statuses: [{ status: 'PUBLISHED' }] });
  });

  it('accepts the collection by id or slug, as collectionId or owner', async () => {
    const blog = await createCollection();
    for (const named of [
      { collectionId: blog.slug },
      { owner: `collection:${blog.id}` },
      { owner: `collection:${blog.slug}` },
      { collectionId: blog.id, owner: 'reservation:other' },
    ]) {
      expect((await createEntry({ ...named, blocks: [titleBlock('A')] })).body).toMatchObject({
        owner: `collection:${blog.id}`,
      });
    }
    for (const filter of [
      `collectionId=${blog.slug}`,
      `owner=collection:${blog.slug}`,
      `owner=collection:${blog.id}`,
    ])
      expect((await listEntries(filter)).body.items).toHaveLength(4);
    expect((await listEntries('owner=planet:mars')).body).toMatchObject({
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
  ])('rejects the owner %j', async (named, fault) => {
    const answer = await t.rest<{ details: { field: string; error: string }[] }>('POST', entries, {
      as: editor,
      body: named,
    });
    expect(answer.status).toBe(422);
    expect(answer.body.details.map(({ field, error }) => `${field} ${error}`)).toEqual([fault]);
  });

  it('rejects a collection of another business', async () => {
    const theirs = await t.rest<{ id: string }>('POST', `/v1/businesses/${other.businessId}/collections`, {
      as: other.admin,
      body: { name: 'Theirs' },
    });
    expect(await createEntry({ collectionId: theirs.body.id })).toMatchObject({
      status: 422,
      body: { details: [{ field: 'collectionId', error: 'COLLECTION_NOT_FOUND' }] },
    });
  });

  it('replays the first response for the same idempotency key', async () => {
    const blog = await createCollection();
    const call = (value: string) =>
      t.rest('POST', entries, {
        as: editor,
        headers: { 'idempotency-key': 'entry-1' },
        body: { collectionId: blog.id, blocks: [titleBlock(value)] },
      });
    const [first, second] = [await call('A'), await call('A')];
    expect(second.body).toEqual(first.body);
    expect((await call('B')).status).toBe(409);
    expect((await listEntries(`collectionId=${blog.id}`)).body.items).toHaveLength(1);
  });
});

describe('slugs', () => {
  it('finds an entry by the value of its block slug in the requested locale', async () => {
    const blog = await createCollection();
    const both = await createEntry({
      collectionId: blog.id,
      blocks: [titleBlock('A'), slugBlock({ en: 'about-us', de: 'ueber-uns' })],
      status: 'PUBLISHED',
    });
    const plain = await createEntry({
      collectionId: blog.id,
      blocks: [titleBlock('A'), slugBlock('contact')],
      status: 'PUBLISHED',
    });
    const german = await createEntry({
      collectionId: blog.id,
      locale: 'de',
      blocks: [titleBlock('A'), slugBlock('contact')],
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
