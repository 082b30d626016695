/** Packages that the bundle of the gateway imports at run time. They are the dependencies of the published package. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packageRoot } from '../src/lib/package-info.ts';

/** Packages that are not bundled: those with data files or native code, and those that few installations load. */
export const external = [
  /^node:/,
  /^@electric-sql\/pglite/,
  /^@node-rs\//,
  /^@prisma\/(client|schema-engine-wasm)/,
  /^@graphql-yoga\/render-graphiql/,
  /^(ioredis|nodemailer|pg-native|pino|pino-pretty|prom-client|sharp)(\/|$)/,
];

export interface PackageJson {
  name: string;
  version: string;
  license?: string;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

export const readPackage = (folder: string): PackageJson =>
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

/** Folders of the external packages and of their dependencies, relative to the root of the repository. */
export function runtimePackages(): string[] {
  const folders = new Set<string>();
  for (const name of Object.keys(readPackage(packageRoot).dependencies ?? {}))
    addPackage(name, packageRoot, folders);
  return [...folders].map((folder) => relative(packageRoot, folder)).sort();
}
