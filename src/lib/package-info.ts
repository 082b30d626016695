/** Where the package lies on disk. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json: the same for src/ and for the built dist/src/. */
export const packageRoot = findUp(dirname(fileURLToPath(import.meta.url)));

function findUp(from: string): string {
  if (existsSync(join(from, 'package.json'))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error('No package.json above this module.');
  return findUp(parent);
}

/** The version of the package that runs. */

const { version } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
  version: string;
};

export const packageVersion = version;
