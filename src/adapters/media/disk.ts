/** Media store in a local folder. */
import { randomUUID } from 'node:crypto';
import { access, constants, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { ensureFolder } from '../../lib/ensure-folder.ts';
import { createExactSizeStream, type MediaStore, requireMediaKey } from '../../ports/media.ts';

export interface MediaFolderProblem {
  kind: 'not-a-folder' | 'not-writable';
  message: string;
}

/** Why no file can be stored in a folder, which need not exist yet. */
export async function findMediaFolderProblem(root: string): Promise<MediaFolderProblem | undefined> {
  const path = resolve(root);
  try {
    if (!(await stat(path)).isDirectory()) {
      const message = `MEDIA_DIR: ${path} is a file. Name a folder, or one that does not exist yet.`;
      return { kind: 'not-a-folder', message };
    }
    await access(path, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
    if (isMissing && dirname(path) !== path) return findMediaFolderProblem(dirname(path));
    const message = `MEDIA_DIR: this user may not write to ${path}. Change its owner, or name another folder.`;
    return { kind: 'not-writable', message };
  }
}

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
