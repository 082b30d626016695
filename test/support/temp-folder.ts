/** Temporary folders for the data of tests. */
import { statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const gigabyte = 2 ** 30;

/** New folder, on tmpfs (`/dev/shm`) if there is enough memory: disk writes took more CPU time than PostgreSQL itself. */
export const createTempFolder = (name: string): Promise<string> =>
  mkdtemp(join(largeTmpfs() ?? tmpdir(), name));

function largeTmpfs(folder = '/dev/shm'): string | undefined {
  if (process.env.TMPDIR !== undefined || freemem() < 8 * gigabyte) return undefined;
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < 4 * gigabyte ? undefined : folder;
  } catch {
    return undefined;
  }
}
