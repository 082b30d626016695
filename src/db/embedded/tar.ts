/** Streaming reader and writer of the subset of the tar format that a folder of database files needs. */
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { OperatorError } from '../../lib/operator-errors.ts';

const block = 512;
const chunkSize = 1024 * 1024;
const padding = (size: number) => (block - (size % block)) % block;

/** Streams a folder as a tar archive. The folder must not change meanwhile. */
export async function* packTar(folder: string): AsyncGenerator<Buffer> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).split(sep).join('/');
    if (entry.isDirectory()) yield header(`${name}/`, 0, '5');
    if (!entry.isFile()) continue;
    const { size } = await stat(path);
    yield header(name, size, '0');
    if (size > 0) yield* createReadStream(path, { end: size - 1, highWaterMark: chunkSize });
    yield Buffer.alloc(padding(size));
  }
  yield Buffer.alloc(2 * block);
}

function header(name: string, size: number, type: '0' | '5'): Buffer {
  if (Buffer.byteLength(name) > 100)
    throw new Error(`The name ${name} is longer than the 100 bytes that a tar archive allows.`);
  const bytes = Buffer.alloc(block);
  bytes.write(name, 0);
  bytes.write(type === '5' ? '0000700\0' : '0000600\0', 100);
  bytes.write('0000000\0'.repeat(2), 108);
  bytes.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  bytes.write('00000000000\0', 136);
  bytes.write(type, 156);
  bytes.write('ustar\x0000', 257);
  bytes.write(`${checksum(bytes).toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}

/** Sum of the header's bytes, with the checksum field itself counted as spaces. */
const checksum = (bytes: Buffer) =>
  bytes.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);

/** Unpacks an archive made by `packTar` into a folder and returns the names of its files. Rejects any other archive. */
export async function unpackTar(source: AsyncIterable<Buffer>, folder: string): Promise<string[]> {
  const reader = createReader(source);
  const names: string[] = [];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const { name, size, type } = readHeader(await reader.take(block));
    if (name === '') {
      await reader.finish();
      return names;
    }
    const path = join(folder, name);
    if (type === '5') {
      await mkdir(path, { recursive: true, mode: 0o700 });
      continue;
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'wx', 0o600);
    try {
      for (let remaining = size; remaining > 0; remaining -= Math.min(remaining, chunkSize))
        await file.writeFile(await reader.take(Math.min(remaining, chunkSize)));
    } finally {
      await file.close();
    }
    await reader.take(padding(size));
    names.push(name);
  }
}

function readHeader(bytes: Buffer): { name: string; size: number; type: string } {
  const text = (from: number, length: number) =>
    bytes.toString('utf8', from, from + length).replace(/\0.*$/s, '');
  if (bytes.every((byte) => byte === 0)) return { name: '', size: 0, type: '' };
  const name = text(0, 100);
  const type = text(156, 1);
  const isSafe = !name.startsWith('/') && !name.split('/').includes('..') && (type === '0' || type === '5');
  if (Number.parseInt(text(148, 8), 8) !== checksum(bytes) || !isSafe) throw invalidArchive();
  return { name, size: Number.parseInt(text(124, 12), 8), type };
}

const invalidArchive = () =>
  new OperatorError('The file is not a backup of an embedded database, or is damaged.');

/** Reads exact lengths from a stream of chunks. */
function createReader(source: AsyncIterable<Buffer>) {
  const chunks = source[Symbol.asyncIterator]();
  let buffered: Buffer = Buffer.alloc(0);
  return {
    /** Reads the source to its end, without which its pipeline would never finish. */
    async finish(): Promise<void> {
      while (!(await chunks.next()).done);
    },
    async take(length: number): Promise<Buffer> {
      const parts = [buffered];
      let size = buffered.length;
      while (size < length) {
        const { done, value } = await chunks.next();
        if (done) throw invalidArchive();
        parts.push(value);
        size += value.length;
      }
      const all = parts.length === 1 ? buffered : Buffer.concat(parts);
      buffered = all.subarray(length);
      return all.subarray(0, length);
    },
  };
}
