/** Free space on the disk of the embedded database. */
import { statfsSync } from 'node:fs';

/** PostgreSQL allocates its write-ahead log in segments of 16 MiB, and recovery may write as much again. */
const minFreeBytes = 32 * 1024 * 1024;

/** Whether the disk of `directory` has too little space for the database to open and write. */
export function isDiskAlmostFull(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize < minFreeBytes;
  } catch {
    return false;
  }
}
