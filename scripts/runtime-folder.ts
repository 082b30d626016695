/**
 * Copies the files that a gateway needs at run time into a new folder: the bundle, migrations, contracts, and the packages that are not
 * bundled with their dependencies. The container image consists of this folder.
 */
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageRoot } from '../src/lib/package-info.ts';
import { runtimePackages } from './external-packages.ts';

const programFiles = [
  'package.json',
  'LICENSE',
  'dist/server',
  'dist/template.tar',
  'dist/guide',
  'dist/demo',
  'dist/sbom.cdx.json',
  'prisma/migrations',
  'schema',
];

/** Type declarations, source maps and documents of packages: half of their size. */
const unusedFile = /\.(?:d\.[cm]?ts|ts|map|md|markdown)$/i;
/** Prisma's query compilers of other databases and other sizes. */
const unusedCompiler = /query_compiler_(?!small_bg\.postgresql)/;

export function copyRuntime(target: string): void {
  for (const file of programFiles) cpSync(join(packageRoot, file), join(target, file), { recursive: true });
  for (const folder of runtimePackages())
    cpSync(join(packageRoot, folder), join(target, folder), {
      recursive: true,
      filter: (path) => {
        const name = relative(join(packageRoot, folder), path);
        // Nested packages are entries of their own.
        return !/^node_modules(?:\/|$)/.test(name) && !unusedFile.test(name) && !unusedCompiler.test(name);
      },
    });
}

if (process.argv[1] === import.meta.filename) {
  const [, , target] = process.argv;
  if (target === undefined || (existsSync(target) && readdirSync(target).length > 0)) {
    console.error('Usage: tsx scripts/runtime-folder.ts <new or empty folder>');
    process.exit(2);
  }
  copyRuntime(target);
}
