/** Creates a folder and its missing parents. */
import { statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Like `mkdir` with `recursive`, which never returns where the file system rejects new folders with ENOENT, such as in /proc. */
export async function ensureFolder(path: string): Promise<void> {
  try {
    await createFolder(path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT') || dirname(path) === path)
      throw error;
    await ensureFolder(dirname(path));
    await createFolder(path);
  }
}

/** Another process may create the same folder at the same time. */
async function createFolder(path: string): Promise<void> {
  await mkdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  });
}
