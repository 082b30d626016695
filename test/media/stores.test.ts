/** Contract of the media stores (disk and S3); the S3 test server verifies signatures. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDiskMediaStore } from '../../src/adapters/media/disk.ts';
import { createS3MediaStore } from '../../src/adapters/media/s3.ts';
import type { ByteRange, MediaStore } from '../../src/ports/media.ts';
import { type S3Server, startS3 } from '../support/s3-server.ts';

let folder: string;
let server: S3Server;
const stores: Record<string, MediaStore> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-media-'));
  server = await startS3();
  stores.disk = createDiskMediaStore(join(folder, 'disk'));
  stores.s3 = createS3MediaStore(server.options);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const bytes = Buffer.from('0123456789');
const about = { size: bytes.length, type: 'image/png' };

async function read(store: MediaStore, key: string, range?: ByteRange): Promise<string | undefined> {
  const body = await store.get(key, range);
  return body && Buffer.concat(await body.toArray()).toString();
}

describe.each(['disk', 's3'])('%s', (name) => {
  const store = () => stores[name] as MediaStore;

  it('returns stored files and byte ranges until they are removed', async () => {
    await store().put('b1/f1/original', Readable.from([bytes]), about);
    await store().put('b1/f1/320', Readable.from([bytes.subarray(5)]), { ...about, size: 5 });
    await store().put('b1/f10/original', Readable.from([bytes]), about);
    expect(await read(store(), 'b1/f1/original')).toBe('0123456789');
    expect(await read(store(), 'b1/f1/320')).toBe('56789');
    expect(await read(store(), 'b1/f1/original', { start: 2, end: 4 })).toBe('234');
    expect(await read(store(), 'b1/f1/640')).toBeUndefined();
    await store().removeAll('b1/f1');
    await store().removeAll('b1/f1');
    expect(await read(store(), 'b1/f1/original')).toBeUndefined();
    expect(await read(store(), 'b1/f1/320')).toBeUndefined();
    expect(await read(store(), 'b1/f10/original')).toBe('0123456789');
  });

  it.each([
    ['is truncated', () => Readable.from(brokenOff())],
    ['is shorter than its declared size', () => Readable.from([bytes.subarray(1)])],
    ['is longer than its declared size', () => Readable.from([bytes, bytes])],
  ])('rejects a file that %s', async (_label, body) => {
    await expect(store().put('b1/f2/original', body(), about)).rejects.toThrow(/gone|10 bytes|hang up/);
  });

  it.each([
    '',
    '..',
    'b1/../b2',
    '/etc/passwd',
    'b1//f',
    'b1/.hidden',
    'B1/f',
    'b1\\f',
    'b1/f\0',
    'b1/f?x=1',
  ])('rejects the key %j', async (key) => {
    await expect(store().put(key, Readable.from([bytes]), about)).rejects.toThrow('Invalid media key.');
    await expect((async () => store().get(key))()).rejects.toThrow('Invalid media key.');
    await expect((async () => store().removeAll(key))()).rejects.toThrow('Invalid media key.');
  });
});

async function* brokenOff() {
  yield bytes.subarray(0, 4);
  throw new Error('gone');
}

it('leaves no partial files on disk', async () => {
  expect(await readdir(join(folder, 'disk', 'b1', 'f2'))).toEqual([]);
});

it('reports the error code of the store, without the secret', async () => {
  const liar = createS3MediaStore({ ...server.options, secretKey: 'wrong' });
  const failure = await liar.put('b1/f3/original', Readable.from([bytes]), about).catch(String);
  expect(failure).toBe('Error: The media store failed to store a file: 403 SignatureDoesNotMatch');
  await expect(liar.get('b1/f10/original')).rejects.toThrow('failed to read a file: 403');
  const elsewhere = createS3MediaStore({ ...server.options, endpoint: 'http://127.0.0.1:1' });
  await expect(elsewhere.get('b1/f10/original')).rejects.toThrow('ECONNREFUSED');
});
