/** Hostile uploads: disguised files, stolen or expired forms, decompression bombs, unsafe SVG and slow clients. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { isSafeSvg, maxSvgBytes } from '../../src/domains/media/uploads/validate-svg.ts';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { createUploadForm, type Form, picture, requestUpload, sendFile, upload } from './setup.ts';

let t: TestApp;
let shop: Shop;
let folder: string;
let png: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-media-'));
  t = await testApp({ MEDIA_DIR: folder, MEDIA_MAX_MB: '0.1' });
  shop = await t.shop();
  png = await picture(10, 10);
  afterAll(() => rm(folder, { recursive: true }));
});
afterEach(() => void vi.useRealTimers());

const pngInput = (size: number) => ({ fileName: 'a.png', contentType: 'image/png', size });
const codesOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  ...(body as { details: { field: string; error: string }[] }).details.map(
    ({ field, error }) => `${field} ${error}`,
  ),
];

describe('rejects a file whose content differs from its declared type', () => {
  it.each<[string, () => Buffer | Promise<Buffer>, string, string]>([
    ['text', () => Buffer.from('<html><script>alert(1)</script>'), 'image/png', 'UNSUPPORTED_MEDIA'],
    ['an archive', () => Buffer.from('PK\x03\x04aaaa'), 'image/png', 'UNSUPPORTED_MEDIA'],
    ['another image', () => picture(9, 9, 'jpeg'), 'image/png', 'MEDIA_TYPE_MISMATCH'],
    ['HTML behind a GIF signature', () => Buffer.from('GIF89a/*<script>*/=1;'), 'image/gif', 'BROKEN_IMAGE'],
    [
      'an image signature without data',
      () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
      'image/png',
      'BROKEN_IMAGE',
    ],
    ['an image with too many pixels', () => pngHeaderOnly(60_000, 60_000), 'image/png', 'BROKEN_IMAGE'],
    ['an SVG with a script', () => svg('<script>alert(1)</script>'), 'image/svg+xml', 'UNSAFE_SVG'],
    ['HTML declared as SVG', () => Buffer.from('<!-- --><html/>'), 'image/svg+xml', 'UNSAFE_SVG'],
  ])('%s', async (_label, make, contentType, error) => {
    expect(codesOf(await upload(t, shop, await make(), { contentType }))).toEqual([422, `file ${error}`]);
  });

  it('marks an image that fails to decode as FAILED and never serves it', async () => {
    const broken = pngHeaderOnly(2_000, 2_000);
    const { status, body } = await upload(t, shop, broken);
    expect(status).toBe(201);
    await t.app.drainJobs();
    const { id, url } = body as unknown as { id: string; url: string };
    const path = `/v1/businesses/${shop.businessId}/media/${id}`;
    expect((await t.rest('GET', path, { as: shop.admin })).body).toMatchObject({ state: 'FAILED' });
    expect((await t.app.fetch(new Request(url))).status).toBe(404);
  });
});

const svg = (inside: string) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`);

/** PNG whose header declares the given size, without the pixel data. */
function pngHeaderOnly(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length, 0);
    body.copy(framed, 4);
    framed.writeUInt32BE(crc(body), body.length + 4);
    return framed;
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2], 8);
  const data = chunk('IDAT', deflateSync(Buffer.alloc(10)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    data,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function crc(bytes: Buffer): number {
  let value = -1;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
  }
  return ~value >>> 0;
}

describe('an upload form', () => {
  it('accepts one file: of concurrent uploads one succeeds', async () => {
    const form = await createUploadForm(t, shop, pngInput(png.length));
    const answers = await Promise.all([1, 2, 3, 4].map(() => sendFile(t, form, png)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422]);
    expect(codesOf(await sendFile(t, form, png))).toEqual([422, 'token INVALID_TOKEN']);
    expect(await readdir(join(folder, shop.businessId, form.mediaId))).toHaveLength(1);
  });

  it('becomes invalid with the role or API key of its creator', async () => {
    const [fired, key] = [
      await t.addMember(shop, await t.person(), 'EDITOR'),
      await t.withApiKey(shop.admin),
    ];
    const forms: Form[] = [];
    for (const as of [fired, fired, key, key])
      forms.push((await requestUpload(t, shop, pngInput(png.length), as)).body);
    const sendForm = (form: Form | undefined) => sendFile(t, form as Form, png);
    expect([(await sendForm(forms[0])).status, (await sendForm(forms[2])).status]).toEqual([201, 201]);
    await t.db.write('delete from memberships where user_id = $1', [fired.userId]);
    await t.db.prisma.apiToken.deleteMany({ where: { userId: shop.admin.userId } });
    for (const form of [forms[1], forms[3]])
      expect(codesOf(await sendForm(form))).toEqual([422, 'token INVALID_TOKEN']);
  });

  it('expires after 15 minutes', async () => {
    const form = await createUploadForm(t, shop, pngInput(png.length));
    vi.useFakeTimers({ toFake: ['Date'], now: form.expiresAt * 1000 });
    expect(codesOf(await sendFile(t, form, png))).toEqual([422, 'token INVALID_TOKEN']);
  });

  it.each<[string, (form: Form, other: Form) => Form]>([
    ['without token', (form) => ({ ...form, fields: [] })],
    ['with the token of another form', (form, { fields }) => ({ ...form, fields })],
    ['for an unknown file', (form) => ({ ...form, uploadUrl: `${form.uploadUrl.slice(0, -4)}0000` })],
    ['with a path traversal', (form) => ({ ...form, uploadUrl: `${form.uploadUrl}/../x` })],
  ])('%s is rejected', async (_label, change) => {
    const [form, other] = [
      await createUploadForm(t, shop, pngInput(png.length)),
      await createUploadForm(t, shop, pngInput(5)),
    ];
    const answer = await sendFile(t, change(form, other), png);
    expect(codesOf(answer)).toEqual([422, 'token INVALID_TOKEN']);
  });

  it.each([-1, 1])('rejects a file whose size differs from the declared size by %i', async (more) => {
    expect(codesOf(await upload(t, shop, png, { size: png.length + more }))).toEqual([
      422,
      'file SIZE_MISMATCH',
    ]);
  });

  it('rejects files above the maximum size', async () => {
    const form = await createUploadForm(t, shop, pngInput(png.length));
    expect((await sendFile(t, form, Buffer.alloc(300_000))).status).toBeGreaterThanOrEqual(413);
    expect(codesOf(await requestUpload(t, shop, pngInput(200_000)))).toEqual([422, 'size TOO_BIG']);
  });

  it.each<[string, BodyInit, string]>([
    ['of type JSON', '{}', 'application/json'],
    ['without a boundary', 'x', 'multipart/form-data'],
    [
      'without a file',
      '--x\r\ncontent-disposition: form-data; name="token"\r\n\r\nt\r\n--x--',
      'multipart/form-data; boundary=x',
    ],
    [
      'that is truncated',
      '--x\r\ncontent-disposition: form-data; name="tok',
      'multipart/form-data; boundary=x',
    ],
  ])('a body %s returns 400', async (_label, body, type) => {
    const { uploadUrl } = await createUploadForm(t, shop, pngInput(png.length));
    const request = new Request(uploadUrl, { method: 'POST', body, headers: { 'content-type': type } });
    expect((await t.app.fetch(request)).status).toBe(400);
  });

  it('requires PRODUCTS_WRITE or CONTENT_WRITE, and reports all validation errors at once', async () => {
    const path = `/v1/businesses/${shop.businessId}/media`;
    const body = pngInput(10);
    const other = await t.shop();
    expect((await t.rest('POST', path, { body })).status).toBe(401);
    expect((await t.rest('POST', path, { body, as: await t.person() })).status).toBe(403);
    expect((await t.rest('POST', path, { body, as: other.admin })).status).toBe(403);
    const wrong = { fileName: ' ', contentType: 'text/html', size: 0 };
    expect(codesOf(await requestUpload(t, shop, wrong))).toEqual([
      422,
      'fileName TOO_SHORT',
      'contentType UNSUPPORTED_MEDIA',
      'size TOO_SMALL',
    ]);
  });
});

it('returns 404 for media files of other businesses', async () => {
  const { body } = await upload(t, shop, png);
  const { id } = body as unknown as { id: string };
  const other = await t.shop();
  for (const businessId of [shop.businessId, other.businessId])
    for (const [method, payload] of [['GET'], ['PUT', { alt: 'mine' }], ['DELETE']] as const) {
      const path = `/v1/businesses/${businessId}/media/${id}`;
      const answer = await t.rest(method, path, { as: other.admin, ...(payload && { body: payload }) });
      expect([method, answer.status]).toEqual([method, 404]);
    }
  const theirs = await t.rest('GET', `/v1/businesses/${other.businessId}/media`, { as: other.admin });
  expect(theirs.body).toEqual({ items: [], cursor: null });
});

describe('isSafeSvg', () => {
  it.each([
    '<g fill="url(#a)"><use href="#b"/><text x="1">A &amp; B</text></g>',
    '<style>.a{fill:#f00}</style><!-- made by hand --><image href="data:image/png;base64,AAAA"/>',
  ])('accepts %s', async (inside) => {
    expect(await isSafeSvg(svg(inside))).toBe(true);
    const withHead = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${svg(inside)}`);
    expect(await isSafeSvg(withHead)).toBe(true);
  });

  it.each([
    '<script/>',
    '<SCRIPT>1</SCRIPT>',
    '<x:script xmlns:x="http://www.w3.org/2000/svg">1</x:script>',
    '<g onload="alert(1)"/>',
    '<g OnLoad="alert(1)"/>',
    '<a href="javascript:alert(1)"><text>x</text></a>',
    '<use href="https://evil.example/a.svg#a"/>',
    '<use xlink:href="//evil.example/a.svg#a"/>',
    '<image href="data:image/svg+xml;base64,AAAA"/>',
    '<use href="&#106;avascript:alert(1)"/>',
    '<foreignObject><p/></foreignObject>',
    '<animate attributeName="href" values="javascript:alert(1)"/>',
    '<set attributeName="onload" to="alert(1)"/>',
    '<style>@import "https://evil.example/a.css";</style>',
    '<style>a{background:url(https://evil.example)}</style>',
    '<style><g/>@import "https://evil.example/a.css";</style>',
    '<style></g>@import "https://evil.example/a.css";</style>',
    '<style><style/>@import "https://evil.example/a.css";</style>',
    '<desc><image src="https://evil.example/a.png"/></desc>',
    '<style>a{background:u\\72l(https://evil.example)}</style>',
    '<g style="fill:url(https://evil.example)"/>',
    '<g fill="url( //evil.example )"/>',
    '<![CDATA[<script>1</script>]]>',
    '<?xml-stylesheet href="https://evil.example"?>',
    '<iframe src="https://evil.example"/>',
    '&xxe;',
    '<g xmlns="http://www.w3.org/1999/xhtml"/>',
    '<g a="<script>"/>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<!---><img src=x onerror=alert(1)>-->',
    '<!-- --!><img src=x onerror=alert(1)>-->',
    '<!-- <img src=x onerror=alert(1)> -->',
  ])('rejects %s', async (inside) => {
    expect(await isSafeSvg(svg(inside))).toBe(false);
  });

  it.each([
    ['a DOCTYPE', '<!DOCTYPE svg [<!ENTITY x "y">]><svg/>'],
    ['another encoding', Buffer.from('\ufeff<svg/>', 'utf16le')],
    ['an empty file', ''],
    ['text before the root element', 'x<svg/>'],
    ['an unclosed tag with many attributes', `<svg ${'a="" '.repeat(50_000)}`],
    ['a file above the maximum size', `<svg>${' '.repeat(maxSvgBytes)}</svg>`],
  ])('rejects %s', async (_label, content) => {
    expect(await isSafeSvg(Buffer.from(content))).toBe(false);
  });

  const long = maxSvgBytes - 1000;
  const repeatToLimit = (piece: string) => piece.repeat(Math.floor(long / piece.length));
  it.each([
    ['shapes', repeatToLimit('<rect x="1" y="2"/>'), true],
    ['nested groups', repeatToLimit('<g></g>'), true],
    ['attributes', `<rect ${repeatToLimit('a="" ')}/>`, true],
    ['attributes without an end', `<rect ${repeatToLimit('a="" ')}`, false],
    ['quotes', `<rect a="${repeatToLimit('" b="')}`, false],
    ['one path', `<path d="${repeatToLimit('M 1 2 L 3 4 ')}"/>`, true],
    ['one style', `<style>${repeatToLimit('a{b:c}')}</style>`, true],
    ['spaces', `<rect ${repeatToLimit(' ')}/>`, true],
    ['addresses', `<rect a="${repeatToLimit('url( ')}"/>`, false],
    ['a comment', `<!--${repeatToLimit('- ')}-->`, true],
    ['a comment without an end', `<!--${repeatToLimit('<!-')}`, false],
  ])(
    'yields to the event loop while validating a file of maximum size: %s',
    async (_label, inside, isAccepted) => {
      let turns = 0;
      const timer = setInterval(() => (turns += 1), 0);
      expect(await isSafeSvg(svg(inside))).toBe(isAccepted);
      clearInterval(timer);
      // Only files with many matches yield: a single match is not interrupted.
      if (inside.startsWith('<rect x') || inside.startsWith('<g>')) expect(turns).toBeGreaterThan(5);
    },
  );

  it('rejects the upload form for an SVG above the maximum size', async () => {
    const app = await testApp({ MEDIA_DIR: folder });
    const { businessId, admin } = await app.shop();
    const size = maxSvgBytes + 1;
    const body = { fileName: 'a.svg', contentType: 'image/svg+xml', size };
    const answer = await app.rest('POST', `/v1/businesses/${businessId}/media`, { as: admin, body });
    expect(codesOf(answer)).toEqual([422, 'size TOO_BIG']);
  });
});

it('closes connections that send a file too slowly or too large, and accepts the next upload', async () => {
  const server = createHttpServer(t.app.dispatch, { receiveTimeoutMs: 100, connectionCheckMs: 20 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as { port: number };
    const form = await createUploadForm(t, shop, pngInput(png.length));
    const localForm = { ...form, uploadUrl: form.uploadUrl.replace(/localhost:\d+/, `127.0.0.1:${port}`) };
    const path = new URL(form.uploadUrl).pathname;
    const requestHead = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: multipart/form-data; boundary=x\r\n`;
    const file =
      '--x\r\ncontent-disposition: form-data; name="token"\r\n\r\n' +
      `${form.fields[0]?.value}\r\n--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n`;
    expect(await sendRaw(port, `${requestHead}content-length: 90000\r\n\r\n${file}`)).toMatch(
      /^HTTP\/1\.1 408 /,
    );
    expect(await sendRaw(port, `${requestHead}content-length: 900000\r\n\r\n${file}`)).toMatch(
      /^HTTP\/1\.1 413 /,
    );
    const body = new FormData();
    for (const { name, value } of localForm.fields) body.append(name, value);
    body.append('file', new Blob([new Uint8Array(png)]), 'a.png');
    expect((await fetch(localForm.uploadUrl, { method: 'POST', body })).status).toBe(201);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

/** Writes `text` to a socket and resolves with the first chunk of the response. */
const sendRaw = (port: number, text: string) =>
  new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.write(text);
    socket.on('data', (chunk) => {
      resolve(String(chunk));
      socket.destroy();
    });
  });
