/** Media store in a local folder. */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ensureFolder } from '../../lib/ensure-folder.ts';
import { createExactSizeStream, type MediaStore, requireMediaKey } from '../../ports/media.ts';

export function createDiskMediaStore(root: string): MediaStore {
  const pathOf = (key: string) => join(root, requireMediaKey(key));
  return {
    async put(key, body, { size, isPrivate }) {
      const path = pathOf(key);
      await ensureFolder(dirname(path));
      // Renamed only after the complete file was flushed to disk, so that a crash leaves no partial file under its name.
      const partial = `${path}.${randomUUID()}.part`;
      try {
        const file = await open(partial, 'wx', isPrivate ? 0o600 : undefined);
        await pipeline(body, createExactSizeStream(size), file.createWriteStream({ flush: true }));
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    async get(key, range) {
      try {
        const file = await open(pathOf(key), 'r');
        return file.createReadStream(range);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    removeAll: (prefix) => rm(pathOf(prefix), { recursive: true, force: true }),
  };
}
