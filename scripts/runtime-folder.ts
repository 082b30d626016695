/**
 * Copies the files that a gateway needs at run time into a new folder: the bundle, migrations, contracts, and the packages that are not
 * bundled with their dependencies. The container image consists of this folder.
 */
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageRoot } from '../src/lib/package-info.ts';
import { external } from './bundle.ts';

interface PackageJson {
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const programFiles = [
  'package.json',
  'LICENSE',
  'dist/server',
  'dist/template.tar',
  'dist/guide',
  'prisma/migrations',
  'schema',
];

/** Type declarations, source maps and documents of packages: half of their size. */
const unusedFile = /\.(?:d\.[cm]?ts|ts|map|md|markdown)$/i;
/** Prisma's query compilers of other databases and other sizes. */
const unusedCompiler = /query_compiler_(?!small_bg\.postgresql)/;

const readPackage = (folder: string): PackageJson =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** Folder of an installed package as Node resolves it from another package. */
function findPackage(name: string, from: string): string | undefined {
  for (let folder = from; folder.startsWith(packageRoot); folder = join(folder, '..')) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return candidate;
  }
  return undefined;
}

/** Adds the folder of a package and of all its installed dependencies. Optional ones of other platforms are not installed. */
function addPackage(name: string, from: string, folders: Set<string>): void {
  const folder = findPackage(name, from);
  if (folder === undefined || folders.has(folder)) return;
  folders.add(folder);
  const { dependencies, optionalDependencies } = readPackage(folder);
  for (const dependency of Object.keys({ ...dependencies, ...optionalDependencies }))
    addPackage(dependency, folder, folders);
}

export function runtimePackages(): string[] {
  const names = Object.keys(readPackage(packageRoot).dependencies ?? {});
  const folders = new Set<string>();
  for (const name of names.filter((name) => external.some((pattern) => pattern.test(name))))
    addPackage(name, packageRoot, folders);
  return [...folders].map((folder) => relative(packageRoot, folder)).sort();
}

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
