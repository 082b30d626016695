/** A new folder for what tests store. */
import { statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const gigabyte = 2 ** 30;

/** In memory where there is plenty: it lives for seconds, and on a disk the system spent more time on it than PostgreSQL. */
export const createTempFolder = (name: string): Promise<string> =>
  mkdtemp(join(roomyMemory() ?? tmpdir(), name));

function roomyMemory(folder = '/dev/shm'): string | undefined {
  if (process.env.TMPDIR !== undefined || freemem() < 8 * gigabyte) return undefined;
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < 4 * gigabyte ? undefined : folder;
  } catch {
    return undefined;
  }
}
