/** Architecture checks: import directions, import cycles and table ownership. Pure functions over source texts keyed by path. */
import { dirname, join, normalize } from 'node:path';

export type Sources = Readonly<Record<string, string>>;

export interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
  names: string[];
}

const importStatement = /^(?:import|export)\s+(type\s+)?([^;]*?)from\s+'([^']+)'|^import\s+'([^']+)'/gm;
const dynamicImport = /\bimport\(\s*'([^']+)'\s*\)/g;

/** Caches a result per file and text: tests check the same sources many times with one file added. */
function cacheBySource<Result>(analyse: (path: string, source: string) => Result) {
  const cache = new Map<string, { source: string; result: Result }>();
  return ([path, source]: readonly [path: string, source: string]): Result => {
    const cached = cache.get(path);
    if (cached?.source === source) return cached.result;
    const result = analyse(path, source);
    cache.set(path, { source, result });
    return result;
  };
}

/** Every import, re-export and dynamic import, including type-only ones. */
export const listImports = (sources: Sources): Import[] => Object.entries(sources).flatMap(importsIn);

const importsIn = cacheBySource((from, source): Import[] => {
  const target = (to: string) => (to.startsWith('.') ? normalize(join(dirname(from), to)) : to);
  const staticImports = [...source.matchAll(importStatement)].map(
    ([, type, clause = '', named, sideEffect = '']) => {
      const names = (/\{([^}]*)\}/.exec(clause)?.[1] ?? '')
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean);
      const onlyTypes = names.length > 0 && names.every((name) => name.startsWith('type '));
      return {
        from,
        to: target(named ?? sideEffect),
        typeOnly: type !== undefined || onlyTypes,
        names: names.map((name) => name.replace(/^type\s+|\s+as\s.*$/g, '')),
      };
    },
  );
  const dynamicImports = [...source.matchAll(dynamicImport)].map(([, to = '']) => ({
    from,
    to: target(to),
    typeOnly: false,
    names: [],
  }));
  return [...staticImports, ...dynamicImports];
});

/** Layers of `src`, lowest first, as folders or files. A layer imports lower layers only, never others of its own level. */
const layers: readonly (readonly string[])[] = [
  ['vendor'],
  ['detail-codes.ts', 'log.ts', 'http-message.ts'],
  ['errors.ts'],
  ['lib'],
  ['db', 'secrets-key-cipher.ts', 'shard-variables.ts'],
  ['auth', 'ports', 'shards', 'environment-schema.ts'],
  [
    'find-misspelt-variables.ts',
    'operator-quotas.ts',
    'check-production-variables.ts',
    'read-provider-config.ts',
  ],
  ['config.ts', 'live', 'instrument-ports-and-jobs.ts'],
  ['context.ts', 'adapters'],
  ['graphql', 'idempotency.ts', 'find-on-servers.ts'],
  ['rest'],
  ['domains'],
  ['maintenance', 'seed'],
  ['http'],
  [
    'business-servers.ts',
    'create-limits-identity-and-payment-adapters.ts',
    'create-usage-and-request-log-recorders.ts',
  ],
  ['servers'],
  ['app.ts'],
  ['cli'],
  ['main.ts'],
];

const layerNameOf = (path: string) => path.split('/')[1] ?? path;
const levelByLayer = new Map(layers.flatMap((names, level) => names.map((name) => [name, level] as const)));

/** Adapters are a lower layer, but these use the ports instead. */
const portsOnly = new Set(['domains', 'graphql', 'rest', 'idempotency.ts']);

function isUpward({ from, to }: Import): boolean {
  const [importer, imported] = [layerNameOf(from), layerNameOf(to)];
  if (!to.startsWith('src/') || importer === imported || imported === 'generated') return false;
  if (imported === 'adapters' && portsOnly.has(importer)) return true;
  // A file or folder without a layer counts as a violation.
  return (levelByLayer.get(imported) ?? Infinity) >= (levelByLayer.get(importer) ?? -1);
}

/** Imports that do not point to a lower layer. */
export const upwardImports = (sources: Sources): string[] =>
  listImports(sources)
    .filter(isUpward)
    .map(({ from, to }) => `${from} imports ${to}`);

/** Import cycles between files. */
export const fileCycles = (sources: Sources): string[] =>
  findCycles(listImports(sources).filter(({ to }) => to in sources));

const domainOf = (path: string) => /^src\/domains\/([\w-]+)\//.exec(path)?.[1];

/** Import cycles between domains. */
export const domainCycles = (sources: Sources): string[] =>
  findCycles(
    listImports(sources).flatMap(({ from, to }) => {
      const [importer, imported] = [domainOf(from), domainOf(to)];
      return importer && imported && importer !== imported ? [{ from: importer, to: imported }] : [];
    }),
  );

/** The shortest cycle through each edge, each cycle once, as `a -> b -> a`. */
function findCycles(edges: readonly { from: string; to: string }[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of pruneAcyclicEdges(edges)) next.set(from, (next.get(from) ?? new Set()).add(to));
  const cycles = new Set<string>();
  for (const [from, targets] of next)
    for (const to of targets) {
      const path = shortestPath(next, to, from);
      if (path) cycles.add(fromSmallest(path).join(' -> '));
    }
  return [...cycles];
}

/** Removes edges from nodes without incoming edges and to nodes without outgoing edges, repeatedly: they are part of no cycle. */
function pruneAcyclicEdges<Edge extends { from: string; to: string }>(
  edges: readonly Edge[],
): readonly Edge[] {
  const sources = new Set(edges.map(({ from }) => from));
  const targets = new Set(edges.map(({ to }) => to));
  const remaining = edges.filter(({ from, to }) => targets.has(from) && sources.has(to));
  return remaining.length === edges.length ? remaining : pruneAcyclicEdges(remaining);
}

function fromSmallest(cycle: readonly string[]): string[] {
  const start = cycle.indexOf([...cycle].sort()[0] ?? '');
  return [...cycle.slice(start), ...cycle.slice(0, start + 1)];
}

function shortestPath(next: ReadonlyMap<string, Set<string>>, start: string, goal: string) {
  const previous = new Map<string, string | undefined>([[start, undefined]]);
  for (const current of previous.keys()) {
    if (current === goal) {
      const path: string[] = [];
      for (let step: string | undefined = current; step !== undefined; step = previous.get(step))
        path.unshift(step);
      return path;
    }
    for (const neighbour of next.get(current) ?? [])
      if (!previous.has(neighbour)) previous.set(neighbour, current);
  }
  return undefined;
}

/** Domain of each table and each Prisma model, by the file of `prisma/models` that declares it; `shared` for `platform.prisma`. */
export function tableOwners(models: Sources): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(models).flatMap(([path, source]) => {
      const name = /([\w-]+)\.prisma$/.exec(path)?.[1] ?? path;
      const owner = name === 'platform' ? 'shared' : name;
      return [...source.matchAll(/^model (\w+) \{.*?@@map\("(\w+)"\)/gms)].flatMap(
        ([, model = '', table = '']) => [
          [table, owner] as const,
          [`prisma.${model.charAt(0).toLowerCase()}${model.slice(1)}`, owner] as const,
        ],
      );
    }),
  );
}

/** Table names in SQL, also after a comma: `from orders o, users u`. */
const tableNamePatterns = [
  /\b(?:from|join|into|update|using)\s+(?:only\s+)?"?(\w+)\b/gi,
  /\bfrom\s+(?:\w+(?:\s+(?:as\s+)?\w+)?\s*,\s*)+"?(\w+)\b/gi,
];

const named = [
  ...tableNamePatterns,
  // Prisma models, and helpers that take the name of a table.
  /\b(prisma\.\w+)\./g,
  /\b\w+Row\w*(?:<[^>]*>)?\(\s*[\w.]+,\s*'(\w+)'/g,
];

const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

const namedIn = cacheBySource((_path, source) => {
  const text = source.replace(comments, '');
  return named.flatMap((pattern) => [...text.matchAll(pattern)].map(([, table = '']) => table));
});

/** Uses of a table by another domain than its owner: by name, by Prisma model, or by an imported typed table. */
export function foreignTables(sources: Sources, owners: ReadonlyMap<string, string>): string[] {
  const domainFiles = Object.entries(sources).filter(([path]) => domainOf(path));
  const typedTables = new Set(
    domainFiles.flatMap(([path, source]) =>
      [...source.matchAll(/^export const (\w+)\s*=\s*defineTable\b/gm)].map(([, name]) => `${path} ${name}`),
    ),
  );
  const byName = domainFiles.flatMap(([path, source]) =>
    namedIn([path, source])
      .map((table) => ({ path, table, owner: owners.get(table) }))
      .filter(({ owner }) => owner !== undefined && owner !== domainOf(path))
      .map(({ table, owner }) => `${path} names ${table} of ${owner}`),
  );
  const byImport = listImports(Object.fromEntries(domainFiles)).flatMap(({ from, to, names }) =>
    names
      .filter((name) => typedTables.has(`${to} ${name}`) && domainOf(from) !== domainOf(to))
      .map((name) => `${from} names ${name} of ${domainOf(to)}`),
  );
  return [...new Set([...byName, ...byImport])];
}

const sqlUse =
  /\.(?:sql|shortRead|script)[<(]|\b(?:db|tx|queries)\.write[<(]|\{[^{}]*\b(?:sql|shortRead)\b[^{}]*\}\s*[=:]/;
const prismaUse = /\bprisma\.\w+\.|\{[^{}]*\bprisma\b[^{}]*\}\s*[=:]/;

/** Files that use both Prisma and `sql`. src/db is exempt, because it creates the handles. */
export const filesMixingPrismaAndSql = (sources: Sources): string[] =>
  Object.entries(sources).flatMap(([file, text]) =>
    !file.startsWith('src/db/') && sqlUse.test(text) && prismaUse.test(text) ? [file] : [],
  );

/** Files with SQL statements on tables that are not typed tables. Such tables are accessed through Prisma. */
export function filesWithSqlOnPrismaTables(sources: Sources, owners: ReadonlyMap<string, string>): string[] {
  const typedTables = new Set(
    Object.values(sources).flatMap((source) =>
      [...source.matchAll(/\bdefineTable<[^(]*\(\s*'(\w+)'/g)].map(([, table]) => table),
    ),
  );
  const isPlain = (table: string) => owners.has(table) && !typedTables.has(table);
  return Object.entries(sources).flatMap(([file, source]) =>
    !file.startsWith('src/db/') &&
    tableNamePatterns.some((pattern) =>
      [...source.replace(comments, '').matchAll(pattern)].some(([, table = '']) => isPlain(table)),
    )
      ? [file]
      : [],
  );
}
