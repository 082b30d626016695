/**
 * Bundled libraries of `npm run dev`: three quarters of a bundle, and unchanged by most edits. Each library is one file with the exports that
 * the sources import. They are bundled again when the sources import more, or when other packages are installed.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { packageRoot } from '../src/lib/package-info.ts';

/** Imported names, by library. */
type ImportedNames = Record<string, string[]>;

/** Content of list.json. */
interface LibraryList {
  /** Modification time of node_modules in milliseconds. */
  installed: number;
  names: ImportedNames;
  /** Modules that every start imports, including those that are never bundled. */
  always: string[];
}

/** File names that rolldown does not change. */
const toFileName = (id: string) => id.replaceAll('/', '__');
const fromFileName = (name: string) => name.replaceAll('__', '/');

/** Path of a library, relative to the bundled sources. */
export const libraryPath = (id: string) => `./libraries/${toFileName(id)}.js`;

const installedAt = () =>
  statSync(join(packageRoot, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const listFile = (folder: string) => join(folder, 'libraries', 'list.json');

function readList(folder: string): LibraryList {
  const empty = { installed: installedAt(), names: {}, always: [] };
  if (!existsSync(listFile(folder))) return empty;
  const list: LibraryList = JSON.parse(readFileSync(listFile(folder), 'utf8'));
  return list.installed === empty.installed ? list : empty;
}

/** Modules that a standby process can import before the sources are bundled. */
export const preloadedLibraries = (folder: string): string[] =>
  readList(folder).always.map((id) => (id.startsWith('.') ? join(folder, id) : id));

const staticImports = /^(?:import|export) (?:(.+) from )?"\.\/libraries\/(.+)\.js";$/gm;
const dynamicImports = /\bimport\(()"\.\/libraries\/(.+?)\.js"\)/g;

/** `a, { b as c }` imports `default` and `b`. A namespace import is `*`. */
function parseImportClause(clause: string): string[] {
  const [first = '', braces = ''] = clause.split('{');
  const named = braces.replace('}', '').split(',');
  const whole = /^\* /.test(first) ? ['*'] : /^\w/.test(first) ? ['default'] : [];
  return [...whole, ...named.map((name) => name.trim().replace(/ as .*$/, '')).filter((name) => name !== '')];
}

/** Names that the chunks import, added to those of earlier bundles. */
function collectImportedNames(chunks: readonly OutputChunk[], earlier: ImportedNames): ImportedNames {
  const namesById = new Map(Object.entries(earlier).map(([id, names]) => [id, new Set(names)]));
  for (const { code } of chunks)
    for (const [statement, clause = '', fileName = ''] of [
      ...code.matchAll(staticImports),
      ...code.matchAll(dynamicImports),
    ]) {
      const id = fromFileName(fileName);
      const names = namesById.get(id) ?? new Set();
      for (const name of statement.startsWith('import(') ? ['*'] : parseImportClause(clause)) names.add(name);
      namesById.set(id, names);
    }
  return Object.fromEntries([...namesById].map(([id, names]) => [id, [...names]]));
}

/** Modules outside the bundle that the entry chunks import, directly or through other chunks. */
function importedAtStart(chunks: readonly OutputChunk[]): string[] {
  const chunksByFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set(chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
  for (const name of reached) for (const id of chunksByFile.get(name)?.imports ?? []) reached.add(id);
  return [...reached].filter((id) => !chunksByFile.has(id) && !id.startsWith('node:'));
}

const exportStatements = (id: string, names: readonly string[]) =>
  [
    `export { ${names.filter((name) => name !== '*').join(', ')} } from '${id}';`,
    ...(names.includes('*') ? [`export * from '${id}';`] : []),
  ].join('\n');

/** Bundles the libraries again if these chunks import names that the files lack; returns whether it did. */
export async function updateLibraries(folder: string, chunks: readonly OutputChunk[]): Promise<boolean> {
  const list = readList(folder);
  const names = collectImportedNames(chunks, list.names);
  const isChanged = JSON.stringify(names) !== JSON.stringify(list.names);
  if (isChanged) await bundleLibraries(join(folder, 'libraries'), names);
  await writeFile(listFile(folder), JSON.stringify({ ...list, names, always: importedAtStart(chunks) }));
  return isChanged;
}

/** Bundles each library through a virtual module that re-exports the imported names. */
async function bundleLibraries(folder: string, namesById: ImportedNames): Promise<void> {
  const modules = Object.entries(namesById).map(([id, names]) => ({
    id,
    module: join(packageRoot, `library ${id}.mjs`),
    code: exportStatements(id, names),
  }));
  // Imported on demand: it is rarely needed and slow to load.
  const { bundle } = await import('./bundle.ts');
  await bundle(Object.fromEntries(modules.map(({ id, module }) => [toFileName(id), module])), folder, {
    plugins: [
      {
        name: 'libraries',
        resolveId: { filter: { id: /\/library / }, handler: (id) => id },
        load: {
          filter: { id: /\/library / },
          handler: (id) => modules.find(({ module }) => module === id)?.code,
        },
      },
    ],
  });
}
