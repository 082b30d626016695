/** References from products and entries to media files: validation, protection against deletion, and deletion of unused files. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteUnusedMedia } from '../../src/domains/media/delete-unused-media.ts';
import { newId } from '../../src/lib/ids.ts';
import { seedDemo } from '../../src/seed/demo.ts';
import { demoShopIdsAndLogins } from '../../src/seed/shop-data.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { createUploadForm, picture, upload } from './setup.ts';

let t: TestApp;
let shop: Shop;
let folder: string;
let file: Buffer;
let owner: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-media-'));
  t = await testApp({ MEDIA_DIR: folder });
  [shop, file] = [await t.shop(), await picture(400, 300)];
  const photos = await post('/collections', { name: 'Photos', blocks: [{ id: 'photo', type: 'MEDIA' }] });
  owner = `collection:${photos.id}`;
  afterAll(() => rm(folder, { recursive: true }));
});

interface Answer {
  id: string;
  gallery: object[];
  variants: { gallery: object[] }[];
  blocks: { value: object }[];
  details: { field: string; error: string }[];
}

const request = (method: string, path: string, body?: object, of = shop) =>
  t.rest<Answer>(method, `/v1/businesses/${of.businessId}${path}`, {
    as: of.admin,
    ...(body && { body }),
  });
const post = async (path: string, body: object) => {
  const answer = await request('POST', path, body);
  expect([answer.status, answer.body.details]).toEqual([200, undefined]);
  return answer.body;
};
const uploadFile = async (of = shop, alt = '') => String((await upload(t, of, file, { alt })).body.id);
const expectedMedia = (mediaId: string, alt?: string) => ({
  id: mediaId,
  mediaId,
  url: `http://localhost:4000/media/${mediaId}/cup-no-1.png`,
  mimeType: 'image/png',
  ...(alt && { alt }),
  width: 400,
  height: 300,
  resolutions: [
    {
      width: 320,
      height: 240,
      url: `http://localhost:4000/media/${mediaId}/w_320.webp`,
      mimeType: 'image/webp',
    },
  ],
});
const block = (value: unknown) => ({ id: 'photo', type: 'MEDIA', value });

describe('a referenced file', () => {
  it('is returned with URL, sizes and alternative text in products and entries, over REST and GraphQL', async () => {
    const mediaId = await uploadFile(shop, 'A cup');
    const { id, ...made } = await post('/products', {
      name: 'Cup',
      gallery: [{ mediaId }, { mediaId, id: 'back', alt: 'Its back', url: 'https://lies.example/x.png' }],
      variants: [{ gallery: [{ mediaId: mediaId.toUpperCase() }] }],
      blocks: [block({ mediaId })],
    });
    const gallery = [expectedMedia(mediaId, 'A cup'), { ...expectedMedia(mediaId, 'Its back'), id: 'back' }];
    expect(made).toMatchObject({
      gallery,
      variants: [{ gallery: [expectedMedia(mediaId, 'A cup')] }],
      blocks: [{ value: expectedMedia(mediaId, 'A cup') }],
    });
    // A returned media item is accepted as input.
    expect((await request('PUT', `/products/${id}`, { gallery: made.gallery })).body.gallery).toEqual(
      gallery,
    );
    const { data } = await t.graphql(
      `query($b: ID!, $id: ID!) { product(businessId: $b, id: $id) {
        gallery { id: key mediaId url mimeType alt width height resolutions { width height url mimeType } } } }`,
      { b: shop.businessId, id },
      { as: shop.admin },
    );
    expect(data).toEqual({ product: { gallery } });
    const entry = await post('/entries', { owner, blocks: [block([{ mediaId, alt: 'Here' }])] });
    expect(entry.blocks[0]?.value).toEqual([expectedMedia(mediaId, 'Here')]);
    const changed = await request('PUT', `/entries/${entry.id}`, { blocks: [block({ mediaId })] });
    expect(changed.body.blocks[0]?.value).toEqual(expectedMedia(mediaId, 'A cup'));
  });

  it('must be an uploaded file of the business; otherwise the record does not change', async () => {
    const foreign = await uploadFile(await t.shop());
    const about = { fileName: 'x.png', contentType: 'image/png', size: 10 };
    const { mediaId: pending } = await createUploadForm(t, shop, about);
    const broken = await uploadFile();
    await t.db.write(`update media set state = 'FAILED' where id = $1`, [broken]);
    const unknown = [foreign, pending, broken, newId(), 'x'];
    const gallery = unknown.map((mediaId) => ({ mediaId }));
    const expectedErrors = (path: string) => [{ field: `${path}.mediaId`, error: 'MEDIA_NOT_FOUND' }];
    for (const [index, item] of gallery.entries()) {
      const rejected = await request('POST', '/products', { name: 'No', gallery: [item] });
      expect([rejected.status, rejected.body.details]).toMatchObject([422, expectedErrors('gallery.0')]);
      const entry = { owner, blocks: [block([item])] };
      const entries = await request('POST', '/entries', entry);
      expect([index, entries.status, entries.body.details]).toMatchObject([
        index,
        422,
        expectedErrors('blocks.0.value.0'),
      ]);
    }
    const { id } = await post('/products', { name: 'Plain' });
    const changed = await request('PUT', `/products/${id}`, { name: 'New', variants: [{ gallery }] });
    expect([changed.status, (await request('GET', `/products/${id}`)).body]).toMatchObject([
      422,
      { name: 'Plain', version: 1 },
    ]);
    const item = { mediaId: await uploadFile() };
    const collection = await request('POST', '/collections', { name: 'C', blocks: [block(item)] });
    expect(collection.body.details).toMatchObject([
      { field: 'blocks.0.value.url', error: 'REQUIRED' },
      { field: 'blocks.0.value.mimeType', error: 'REQUIRED' },
    ]);
  });

  it('cannot be deleted while a record or an earlier version of an entry references it', async () => {
    const mediaId = await uploadFile();
    const remove = async () => {
      const { status, body } = await request('DELETE', `/media/${mediaId}`);
      return [status, ...(body.details ?? []).map(({ error }) => error)];
    };
    const rejected = [422, 'MEDIA_IN_USE'];
    const product = await post('/products', { name: 'Mug', gallery: [{ mediaId }] });
    expect(await remove()).toEqual(rejected);
    await request('PUT', `/products/${product.id}`, { gallery: [] });
    const entry = await post('/entries', { owner, blocks: [block({ mediaId })] });
    await request('PUT', `/entries/${entry.id}`, { blocks: [] });
    expect(await remove()).toEqual(rejected);
    await request('DELETE', `/entries/${entry.id}`);
    expect(await remove()).toEqual([200]);
    expect((await request('PUT', `/products/${product.id}`, { gallery: [{ mediaId }] })).status).toBe(422);
  });

  it('cannot be deleted while the draft of an entry references it', async () => {
    const mediaId = await uploadFile();
    const entry = await post('/entries', { owner, blocks: [] });
    const draft = await request('PUT', `/entries/${entry.id}/draft`, { blocks: [block({ mediaId })] });
    expect([draft.status, draft.body.blocks[0]?.value]).toEqual([200, expectedMedia(mediaId)]);
    const deleted = await request('DELETE', `/media/${mediaId}`);
    expect([deleted.status, deleted.body.details[0]?.error]).toEqual([422, 'MEDIA_IN_USE']);
  });

  it('is deleted with its business', async () => {
    const other = await t.shop();
    const gallery = [{ mediaId: await uploadFile(other) }];
    expect((await request('POST', '/products', { name: 'Mug', gallery }, other)).status).toBe(200);
    expect((await request('DELETE', '', undefined, other)).status).toBe(200);
    await t.app.drainJobs();
    expect(await readdir(folder)).not.toContain(other.businessId);
  });
});

describe('an unused file', () => {
  const expireUnused = () => t.db.write('update media_unused set since = 0');
  const exists = async (id: string) => (await request('GET', `/media/${id}`)).status === 200;

  it('is deleted after the retention period, unless it is referenced by id or URL', async () => {
    const [unnamed, named, linked, dropped] = [
      await uploadFile(),
      await uploadFile(),
      await uploadFile(),
      await uploadFile(),
    ];
    const item = { url: `http://localhost:4000/media/${linked}/cup-no-1.png`, mimeType: 'image/png' };
    const product = await post('/products', { name: 'Jug', gallery: [item, { mediaId: dropped }] });
    await post('/entries', { owner, blocks: [block({ mediaId: named })] });
    await deleteUnusedMedia(t.app.services);
    await expireUnused();
    await request('PUT', `/products/${product.id}`, { gallery: [item] });
    await deleteUnusedMedia(t.app.services);
    await t.app.drainJobs();
    const remaining = await Promise.all([unnamed, named, linked, dropped].map(exists));
    expect(remaining).toEqual([false, true, true, true]);
    expect(await readdir(join(folder, shop.businessId))).not.toContain(unnamed);
    await expireUnused();
    await deleteUnusedMedia(t.app.services);
    expect(await exists(dropped)).toBe(false);
  });

  it('is not deleted when a concurrent transaction references it', async () => {
    const mediaId = await uploadFile();
    await deleteUnusedMedia(t.app.services);
    await expireUnused();
    const use = 'insert into media_uses (owner_id, media_id, business_id) values ($1, $2, $3)';
    let sweeping: Promise<void> | undefined;
    await t.db.transaction(async (tx) => {
      await tx.write(use, [newId(), mediaId, shop.businessId]);
      sweeping = deleteUnusedMedia(t.app.services);
      await expect.poll(() => t.db.sql('select 1 from pg_locks where not granted')).toHaveLength(1);
    });
    await sweeping;
    expect(await exists(mediaId)).toBe(true);
  });
});

it('is used by the demo shop: an uploaded product photo in every resolution', async () => {
  const { config, media } = t.app.services;
  expect(await seedDemo(t.db, config.publicUrl, async () => media)).toBe(true);
  const path = `/v1/businesses/${demoShopIdsAndLogins.businessId}/products/stoneware-cup`;
  interface Picture {
    url: string;
    mediaId?: string;
    resolutions: { url: string; width: number; height: number }[];
  }
  const { body } = await t.rest<{ gallery: Picture[] }>('GET', path, { as: await t.guest() });
  const [cup] = body.gallery;
  expect(cup).toMatchObject({
    mimeType: 'image/webp',
    width: 1400,
    height: 1050,
    mediaId: expect.any(String),
  });
  const sizes = [{ url: cup?.url ?? '', width: 1400, height: 1050 }, ...(cup?.resolutions ?? [])];
  expect(sizes.map(({ width }) => width)).toEqual([1400, 320, 640, 1280]);
  for (const { url, width, height } of sizes) {
    const answer = await t.app.fetch(new Request(url));
    expect(answer.headers.get('content-type')).toBe('image/webp');
    expect(await sharp(await answer.arrayBuffer()).metadata()).toMatchObject({
      format: 'webp',
      width,
      height,
    });
  }
});
