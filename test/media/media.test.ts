/** Media files: upload, resolutions, serving, update, deletion and retention. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { deleteUnfinishedUploads } from '../../src/domains/media/uploads/delete-unfinished-uploads.ts';
import { now } from '../../src/lib/time.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { createUploadForm, picture, requestUpload, sendFile, upload } from './setup.ts';

let t: TestApp;
let shop: Shop;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-media-'));
  t = await testApp({ MEDIA_DIR: folder });
  shop = await t.shop();
  afterAll(() => rm(folder, { recursive: true }));
});

const media = () => `/v1/businesses/${shop.businessId}/media`;
const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  t.app.fetch(new Request(url, { headers, method }));

it('stores an image, measures it and generates its resolutions', async () => {
  const file = await picture(800, 600);
  const form = await createUploadForm(t, shop, {
    fileName: 'Cup No. 1.png',
    contentType: 'image/png',
    size: file.length,
    alt: 'A cup',
  });
  const url = (name: string) => `http://localhost:4000/media/${form.mediaId}/${name}`;
  expect(form).toEqual({
    mediaId: form.mediaId,
    uploadUrl: `http://localhost:4000/media/uploads/${form.mediaId}`,
    fields: [{ name: 'token', value: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    expiresAt: expect.any(Number),
  });
  const at = { as: shop.admin };
  expect((await t.rest('GET', `${media()}/${form.mediaId}`, at)).body).toMatchObject({ state: 'UPLOADING' });
  const sent = await sendFile(t, form, file);
  const expected = {
    id: form.mediaId,
    businessId: shop.businessId,
    state: 'PROCESSING',
    fileName: 'cup-no-1.png',
    url: url('cup-no-1.png'),
    mimeType: 'image/png',
    size: file.length,
    width: 800,
    height: 600,
    alt: 'A cup',
    resolutions: [
      { width: 320, height: 240, url: url('w_320.webp'), mimeType: 'image/webp' },
      { width: 640, height: 480, url: url('w_640.webp'), mimeType: 'image/webp' },
    ],
    version: 1,
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
  };
  expect([sent.status, sent.body]).toEqual([201, expected]);
  const early = await get(url('w_320.webp'));
  expect([
    early.headers.get('content-type'),
    early.headers.get('cache-control'),
    early.headers.get('etag'),
  ]).toEqual(['image/png', 'public, max-age=5', null]);
  await t.app.drainJobs();
  const ready = { ...expected, state: 'READY' };
  expect((await t.rest('GET', `${media()}/${form.mediaId}`, at)).body).toEqual(ready);
  expect((await t.rest('GET', media(), at)).body).toEqual({ items: [ready], cursor: null });
  const small = await get(url('w_320.webp'));
  const { width, height, format } = await sharp(Buffer.from(await small.arrayBuffer())).metadata();
  expect({ width, height, format }).toEqual({ width: 320, height: 240, format: 'webp' });
  const original = await get(url('cup-no-1.png'));
  expect(Buffer.from(await original.arrayBuffer()).equals(file)).toBe(true);
});

it.each([
  ['photo.JPG', 'image/jpeg', () => picture(400, 300, 'jpeg'), 'photo.jpg', 400],
  ['a.webp', 'image/webp', () => picture(300, 300, 'webp'), 'a.webp', 300],
  ['a.avif', 'image/avif', () => picture(330, 10, 'avif'), 'a.avif', 330],
  ['a.gif', 'image/gif', () => picture(20, 20, 'gif'), 'a.gif', 20],
  ['a.pdf', 'application/pdf', () => Buffer.from('%PDF-1.7\n%%EOF'), 'a.pdf', undefined],
  ['a.mp4', 'video/mp4', () => Buffer.from('\0\0\0\x18ftypisom\0\0\0\0', 'latin1'), 'a.mp4', undefined],
  ['日本.svg', 'image/svg+xml', () => svg('<path d="M0 0h8v8z"/>'), 'file.svg', undefined],
] as const)('accepts %s as %s', async (fileName, contentType, make, name, width) => {
  const { status, body } = await upload(t, shop, await make(), { fileName, contentType });
  expect([status, body]).toMatchObject([201, { fileName: name, mimeType: contentType }]);
  expect((body as { width?: number }).width).toBe(width);
});

const svg = (inside: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`);

it('applies the EXIF orientation and removes EXIF metadata', async () => {
  const turned = await sharp(await picture(800, 400, 'jpeg'))
    .withExif({ IFD0: { Artist: 'Somebody' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { body } = await upload(t, shop, turned, { contentType: 'image/jpeg' });
  const { url } = (body as unknown as { resolutions: { url: string }[] }).resolutions[0] ?? { url: '' };
  expect(body).toMatchObject({ width: 400, height: 800, resolutions: [{ width: 320, height: 640 }] });
  await t.app.drainJobs();
  const metadata = await sharp(Buffer.from(await (await get(url)).arrayBuffer())).metadata();
  expect([metadata.width, metadata.height, metadata.exif]).toEqual([320, 640, undefined]);
});

it('processes images of several businesses in turn', async () => {
  await t.app.drainJobs();
  const other = await t.shop();
  const image = await picture(10, 10);
  for (const by of [shop, shop, shop, other, other]) await upload(t, by, image);
  const read = vi.spyOn(t.app.services.media, 'get');
  await t.app.drainJobs();
  const processedOrder = read.mock.calls.map(([key]) =>
    key.startsWith(other.businessId) ? 'other' : 'first',
  );
  read.mockRestore();
  expect(processedOrder).toEqual(['first', 'other', 'first', 'other', 'first']);
});

it('serves files as immutable, with byte ranges and a restrictive content security policy', async () => {
  const file = svg('<path d="M0 0h8v8z"/>');
  const { body } = await upload(t, shop, file, { fileName: 'logo.svg', contentType: 'image/svg+xml' });
  const { url, id } = body as unknown as { url: string; id: string };
  const whole = await get(url);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-length': String(file.length),
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': expect.stringMatching(/^default-src 'none'.*; sandbox$/),
    'x-content-type-options': 'nosniff',
    etag: `"${id}-logo.svg"`,
  });
  expect(await whole.text()).toBe(String(file));
  const part = await get(url, { range: 'bytes=1-3' });
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
    206,
    `bytes 1-3/${file.length}`,
    'svg',
  ]);
  expect(await (await get(url, { range: 'bytes=-6' })).text()).toBe('</svg>');
  expect((await get(url, { range: 'bytes=99999-' })).status).toBe(200);
  expect((await get(url, { 'if-none-match': `W/"${id}-logo.svg"` })).status).toBe(304);
  const head = await get(url, {}, 'HEAD');
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(file.length)]);
  for (const wrong of ['other.svg', '..%2flogo.svg', 'logo.svg/more', 'w_320.webp', 'original', ''])
    expect((await get(`http://localhost:4000/media/${id}/${wrong}`)).status).toBe(404);
});

it('updates the alternative text, and deletes a file with its resolutions', async () => {
  const { body } = await upload(t, shop, await picture(400, 400));
  const { id, url } = body as unknown as { id: string; url: string };
  await t.app.drainJobs();
  expect(await readdir(join(folder, shop.businessId))).toContain(id);
  const at = { as: shop.admin };
  const changed = await t.rest('PUT', `${media()}/${id}`, { ...at, body: { alt: 'Two cups' } });
  expect(changed.body).toMatchObject({ id, alt: 'Two cups', version: 2 });
  const stale = { ...at, headers: { 'if-match': '"1"' }, body: { alt: 'No' } };
  expect((await t.rest('PUT', `${media()}/${id}`, stale)).status).toBe(412);
  expect((await t.rest('DELETE', `${media()}/${id}`, at)).body).toEqual({ id, deleted: true });
  expect((await get(url)).status).toBe(404);
  expect((await t.rest('GET', `${media()}/${id}`, at)).status).toBe(404);
  await t.app.drainJobs();
  expect(await readdir(join(folder, shop.businessId))).not.toContain(id);
});

it('returns the same form for the same idempotency key', async () => {
  const body = { fileName: 'a.png', contentType: 'image/png', size: 9 };
  const request = { as: shop.admin, headers: { 'idempotency-key': 'one' }, body };
  const [first, second] = [await t.rest('POST', media(), request), await t.rest('POST', media(), request)];
  expect(second.body).toEqual(first.body);
  expect((await requestUpload(t, shop, body)).body.mediaId).not.toBe(
    (first.body as { mediaId?: string }).mediaId,
  );
});

it('deletes unfinished uploads after a day, with their partial files', async () => {
  const body = { fileName: 'a.png', contentType: 'image/png', size: 9 };
  const ids: string[] = [];
  for (const _ of [1, 2, 3]) ids.push((await createUploadForm(t, shop, body)).mediaId);
  const [young, old, completed] = ids as [string, string, string];
  const at = (id: string) => join(folder, shop.businessId, id);
  await mkdir(join(at(old), 'attempt'), { recursive: true });
  await writeFile(join(at(old), 'attempt', 'original'), 'half of it');
  const aged = (createdAt: number, data: object = {}) => ({ createdAt, updatedAt: createdAt, ...data });
  const { mediaFile } = t.db.prisma;
  await mediaFile.update({ where: { id: young }, data: aged(now() - 86_000) });
  await mediaFile.update({ where: { id: old }, data: aged(now() - 86_401) });
  await mediaFile.update({ where: { id: completed }, data: aged(now() - 86_401, { state: 'READY' }) });
  await deleteUnfinishedUploads(t.app.services);
  await t.app.drainJobs();
  const remaining = await mediaFile.findMany({ where: { id: { in: ids } }, select: { id: true } });
  expect(remaining.map(({ id }) => id).sort()).toEqual([young, completed].sort());
  expect(await readdir(join(folder, shop.businessId))).not.toContain(old);
  await mediaFile.deleteMany({ where: { id: { in: ids } } });
});

it('limits a business to 1000 open upload forms, not counting expired ones', async () => {
  const busy = await t.shop();
  const open = `insert into media (id, business_id, state, file_name, mime_type, size, widths, created_at, updated_at)
    select gen_random_uuid(), $1, 'UPLOADING', 'a.png', 'image/png', 1, '{}', $2, $2 from generate_series(1, 998)`;
  await t.db.write(open, [busy.businessId, now()]);
  const requestForm = (at: Shop) =>
    requestUpload(t, at, { fileName: 'a.png', contentType: 'image/png', size: 5 });
  const responses = await Promise.all([1, 2, 3, 4].map(() => requestForm(busy)));
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
  const { mediaId } = (await requestForm(shop)).body;
  await t.db.write('update media set created_at = created_at - 900 where business_id = $1', [
    busy.businessId,
  ]);
  expect((await requestForm(busy)).status).toBe(200);
  await t.db.prisma.mediaFile.deleteMany({ where: { id: mediaId } });
});

it('paginates files with a constant number of SQL statements', async () => {
  const list = async (query: string) => {
    t.statements.length = 0;
    const { body } = await t.rest<{ items: { id: string }[]; cursor: string }>('GET', `${media()}?${query}`, {
      as: shop.admin,
    });
    return { ids: body.items.map(({ id }) => id), cursor: body.cursor, statements: t.statements.length };
  };
  await t.app.drainJobs();
  const all = await list('limit=100');
  expect((await list('limit=100&state=READY')).ids).toEqual(all.ids);
  const first = await list('limit=2');
  const second = await list(`limit=2&cursor=${first.cursor}`);
  expect([...first.ids, ...second.ids]).toEqual(all.ids.slice(0, 4));
  expect(first.statements).toBe(all.statements);
});
