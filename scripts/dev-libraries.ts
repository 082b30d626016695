/**
 * The libraries under `npm run dev`: three quarters of a bundle, and the same at every change. They are put together once, a file for each
 * with what the sources import of it, and again when that is more or others are installed.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { packageRoot } from '../src/lib/package-info.ts';

/** The names that are imported of each library. */
type Names = Record<string, string[]>;

interface Known {
  installed: number;
  names: Names;
  /** What every start imports, also of what is never put together. */
  always: string[];
}

/** Names of files that rolldown leaves as they are. */
const toName = (id: string) => id.replaceAll('/', '__');
const fromName = (name: string) => name.replaceAll('__', '/');

/** From the sources that are put together beside it. */
export const libraryPath = (id: string) => `./libraries/${toName(id)}.js`;

const installedAt = () =>
  statSync(join(packageRoot, 'node_modules', '.package-lock.json'), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const listIn = (folder: string) => join(folder, 'libraries', 'list.json');

function known(folder: string): Known {
  const none = { installed: installedAt(), names: {}, always: [] };
  if (!existsSync(listIn(folder))) return none;
  const last: Known = JSON.parse(readFileSync(listIn(folder), 'utf8'));
  return last.installed === none.installed ? last : none;
}

/** What a process can load before there are sources for it. */
export const librariesIn = (folder: string): string[] =>
  known(folder).always.map((id) => (id.startsWith('.') ? join(folder, id) : id));

const imports = /^(?:import|export) (?:(.+) from )?"\.\/libraries\/(.+)\.js";$/gm;
const lateImports = /\bimport\(()"\.\/libraries\/(.+?)\.js"\)/g;

/** `a, { b as c }`: default and b. A library as a whole is `*`. */
function namesIn(clause: string): string[] {
  const [first = '', braced = ''] = clause.split('{');
  const some = braced.replace('}', '').split(',');
  const whole = /^\* /.test(first) ? ['*'] : /^\w/.test(first) ? ['default'] : [];
  return [...whole, ...some.map((name) => name.trim().replace(/ as .*$/, '')).filter((name) => name !== '')];
}

function importedBy(chunks: readonly OutputChunk[], before: Names): Names {
  const names = new Map(Object.entries(before).map(([id, of]) => [id, new Set(of)]));
  for (const { code } of chunks)
    for (const [all, clause = '', name = ''] of [...code.matchAll(imports), ...code.matchAll(lateImports)]) {
      const id = fromName(name);
      const of = names.get(id) ?? new Set();
      for (const name of all.startsWith('import(') ? ['*'] : namesIn(clause)) of.add(name);
      names.set(id, of);
    }
  return Object.fromEntries([...names].map(([id, of]) => [id, [...of]]));
}

/** What the chunks import that programs begin with, and those that they import. */
function importedAlways(chunks: readonly OutputChunk[]): string[] {
  const own = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const found = new Set(chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
  for (const name of found) for (const id of own.get(name)?.imports ?? []) found.add(id);
  return [...found].filter((id) => !own.has(id) && !id.startsWith('node:'));
}

const text = (id: string, names: readonly string[]) =>
  [
    `export { ${names.filter((name) => name !== '*').join(', ')} } from '${id}';`,
    ...(names.includes('*') ? [`export * from '${id}';`] : []),
  ].join('\n');

/** Whether they had to be put together anew for what these chunks import. */
export async function bringLibraries(folder: string, chunks: readonly OutputChunk[]): Promise<boolean> {
  const before = known(folder);
  const names = importedBy(chunks, before.names);
  const isNew = JSON.stringify(names) !== JSON.stringify(before.names);
  if (isNew) await bundleLibraries(join(folder, 'libraries'), names);
  await writeFile(listIn(folder), JSON.stringify({ ...before, names, always: importedAlways(chunks) }));
  return isNew;
}

/** Each as a module of ours would import it. */
async function bundleLibraries(folder: string, names: Names): Promise<void> {
  const modules = Object.entries(names).map(([id, of]) => ({
    id,
    module: join(packageRoot, `library ${id}.mjs`),
    code: text(id, of),
  }));
  // Seldom needed, and slow to load.
  const { bundle } = await import('./bundle.ts');
  await bundle(Object.fromEntries(modules.map(({ id, module }) => [toName(id), module])), folder, {
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
