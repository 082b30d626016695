/** Template archive of an embedded data directory: a tar file, unpacked five times faster than by PGlite. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const block = 512;

export async function readDbTemplateArchive(template: string | Blob): Promise<Buffer<ArrayBuffer>> {
  return typeof template === 'string' ? readFile(template) : Buffer.from(await template.arrayBuffer());
}

/** Unpacks the result of PGlite's `dumpDataDir('none')` into a directory. */
export async function unpackDbTemplateArchive(template: string | Blob, directory: string): Promise<void> {
  const tar = await readDbTemplateArchive(template);
  mkdirSync(directory, { mode: 0o700 });
  const text = (from: number, length: number) =>
    tar.toString('latin1', from, from + length).replace(/\0.*$/s, '');
  // Synchronous: no request is served yet, and awaiting each of a thousand small files would be slower.
  for (let at = 0; tar[at]; ) {
    const path = join(directory, text(at, 100));
    const size = Number.parseInt(text(at + 124, 12), 8);
    if (text(at + 156, 1) === '5') mkdirSync(path, { mode: 0o700 });
    else writeFileSync(path, tar.subarray(at + block, at + block + size), { mode: 0o600 });
    at += block + Math.ceil(size / block) * block;
  }
}
