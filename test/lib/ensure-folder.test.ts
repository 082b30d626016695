/** Creates nested folders from several callers at once, and fails where a folder cannot be created. */
import { existsSync } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ensureFolder } from '../../src/lib/ensure-folder.ts';
import { createTempFolder } from '../support/temp-folder.ts';

it('creates missing parents, for several callers at once', async () => {
  const root = await createTempFolder('duet-folder-');
  onTestFinished(() => rm(root, { recursive: true }));
  const path = join(root, 'a', 'b', 'c', 'd');
  await Promise.all(Array.from({ length: 50 }, () => ensureFolder(path)));
  expect((await stat(path)).isDirectory()).toBe(true);
  await writeFile(join(root, 'file'), '');
  await expect(ensureFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' });
  await expect(ensureFolder(join(root, 'file', 'x'))).rejects.toMatchObject({ code: 'ENOTDIR' });
});

it.runIf(existsSync('/proc/self'))('fails at once where the file system accepts no folders', async () => {
  await expect(ensureFolder('/proc/nope/data')).rejects.toMatchObject({ code: 'ENOENT' });
});
