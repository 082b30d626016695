/** Marker of a data directory that is being created. It remains only if the process died meanwhile: then the directory is incomplete. */
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';

const markerOf = (directory: string) => `${directory}.unfinished`;

export const markDirectoryUnfinished = (directory: string): Promise<void> =>
  writeFile(markerOf(directory), '');

export const markDirectoryFinished = (directory: string): Promise<void> =>
  rm(markerOf(directory), { force: true });

/** Deletes a directory whose creation was interrupted. */
export async function removeUnfinishedDirectory(directory: string): Promise<void> {
  if (!existsSync(markerOf(directory))) return;
  await rm(directory, { recursive: true, force: true });
  await markDirectoryFinished(directory);
}
