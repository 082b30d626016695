/** Root folder and version of this package. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder with package.json, for both src/ and the built dist/src/. */
export const packageRoot = findUp(dirname(fileURLToPath(import.meta.url)));

function findUp(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('No package.json found in any folder above this module.');
  return findUp(parent);
}

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  version: string;
};

export const packageVersion = version;
