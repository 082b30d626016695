/** Who imports whom, in which direction, and whose tables a statement names: pure functions over sources by path. */
import { dirname, join, normalize } from 'node:path';

export type Sources = Readonly<Record<string, string>>;

export interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
  names: string[];
}

const statement = /^(?:import|export)\s+(type\s+)?([^;]*?)from\s+'([^']+)'|^import\s+'([^']+)'/gm;
const inline = /\bimport\(\s*'([^']+)'\s*\)/g;

/** Sources are asked about time and again with one file planted among them: each file is read through once. */
function remembered<Result>(look: (path: string, source: string) => Result) {
  const known = new Map<string, { source: string; result: Result }>();
  return ([path, source]: readonly [path: string, source: string]): Result => {
    const before = known.get(path);
    if (before?.source === source) return before.result;
    const result = look(path, source);
    known.set(path, { source, result });
    return result;
  };
}

/** Every import, re-export and inline import, those of types too. */
export const listImports = (sources: Sources): Import[] => Object.entries(sources).flatMap(importsIn);

const importsIn = remembered((from, source): Import[] => {
  const target = (to: string) => (to.startsWith('.') ? normalize(join(dirname(from), to)) : to);
  const listed = [...source.matchAll(statement)].map(([, type, clause = '', named, bare = '']) => {
    const names = (/\{([^}]*)\}/.exec(clause)?.[1] ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const onlyTypes = names.length > 0 && names.every((name) => name.startsWith('type '));
    return {
      from,
      to: target(named ?? bare),
      typeOnly: type !== undefined || onlyTypes,
      names: names.map((name) => name.replace(/^type\s+|\s+as\s.*$/g, '')),
    };
  });
  const inlined = [...source.matchAll(inline)].map(([, to = '']) => ({
    from,
    to: target(to),
    typeOnly: false,
    names: [],
  }));
  return [...listed, ...inlined];
});

/** The storeys of `src`, from the ground up, by folder or file. Imports lead from a storey to one below it, never to its neighbours. */
const storeys: readonly (readonly string[])[] = [
  ['detail-codes.ts', 'log.ts', 'http-message.ts'],
  ['errors.ts'],
  ['lib'],
  ['db', 'secret-encryption.ts'],
  ['auth', 'ports', 'environment-schema.ts'],
  ['config.ts', 'live', 'instrumentation.ts'],
  ['context.ts', 'adapters'],
  ['graphql', 'idempotency.ts'],
  ['rest'],
  ['domains'],
  ['maintenance', 'seed'],
  ['http'],
  ['app.ts'],
  ['cli'],
  ['main.ts'],
];

const roomOf = (path: string) => path.split('/')[1] ?? path;
const storeyOf = new Map(storeys.flatMap((rooms, height) => rooms.map((room) => [room, height] as const)));

/** Adapters stand below, but who needs one asks for its port. */
const portsOnly = new Set(['domains', 'graphql', 'rest', 'idempotency.ts']);

function runsUp({ from, to }: Import): boolean {
  const [user, used] = [roomOf(from), roomOf(to)];
  if (!to.startsWith('src/') || user === used || used === 'generated') return false;
  if (used === 'adapters' && portsOnly.has(user)) return true;
  // What is not on the list is named here until it is given a storey.
  return (storeyOf.get(used) ?? Infinity) >= (storeyOf.get(user) ?? -1);
}

/** Imports that do not run down. */
export const upwardImports = (sources: Sources): string[] =>
  listImports(sources)
    .filter(runsUp)
    .map(({ from, to }) => `${from} imports ${to}`);

/** Files that import each other, directly or through others. */
export const fileCycles = (sources: Sources): string[] =>
  circles(listImports(sources).filter(({ to }) => to in sources));

const domainOf = (path: string) => /^src\/domains\/([\w-]+)\//.exec(path)?.[1];

/** Domains that import each other, directly or through others. */
export const domainCycles = (sources: Sources): string[] =>
  circles(
    listImports(sources).flatMap(({ from, to }) => {
      const [user, used] = [domainOf(from), domainOf(to)];
      return user && used && user !== used ? [{ from: user, to: used }] : [];
    }),
  );

/** One shortest circle through each edge that lies on one, each circle once, as `a -> b -> a`. */
function circles(edges: readonly { from: string; to: string }[]): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of onTheWay(edges)) next.set(from, (next.get(from) ?? new Set()).add(to));
  const found = new Set<string>();
  for (const [from, targets] of next)
    for (const to of targets) {
      const way = shortestWay(next, to, from);
      if (way) found.add(fromSmallest(way).join(' -> '));
    }
  return [...found];
}

/** Without the edges that begin where none arrives, or end where none begins: no circle runs through those. */
function onTheWay<Edge extends { from: string; to: string }>(edges: readonly Edge[]): readonly Edge[] {
  const begins = new Set(edges.map(({ from }) => from));
  const ends = new Set(edges.map(({ to }) => to));
  const left = edges.filter(({ from, to }) => ends.has(from) && begins.has(to));
  return left.length === edges.length ? left : onTheWay(left);
}

function fromSmallest(circle: readonly string[]): string[] {
  const start = circle.indexOf([...circle].sort()[0] ?? '');
  return [...circle.slice(start), ...circle.slice(0, start + 1)];
}

function shortestWay(next: ReadonlyMap<string, Set<string>>, start: string, goal: string) {
  const before = new Map<string, string | undefined>([[start, undefined]]);
  for (const here of before.keys()) {
    if (here === goal) {
      const way: string[] = [];
      for (let step: string | undefined = here; step !== undefined; step = before.get(step))
        way.unshift(step);
      return way;
    }
    for (const there of next.get(here) ?? []) if (!before.has(there)) before.set(there, here);
  }
  return undefined;
}

/** The domain of each table and of each Prisma model, by the file of `prisma/models` that declares it; what is of no domain is `shared`. */
export function tableOwners(models: Sources): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(models).flatMap(([path, source]) => {
      const name = /(\w+)\.prisma$/.exec(path)?.[1] ?? path;
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

/** In a statement, also behind a comma: `from orders o, users u`. */
const inStatements = [
  /\b(?:from|join|into|update|using)\s+(?:only\s+)?"?(\w+)\b/gi,
  /\bfrom\s+(?:\w+(?:\s+(?:as\s+)?\w+)?\s*,\s*)+"?(\w+)\b/gi,
];

const named = [
  ...inStatements,
  // By the client, or by a helper that takes the name of a table.
  /\b(prisma\.\w+)\./g,
  /\b\w+Row\w*(?:<[^>]*>)?\(\s*[\w.]+,\s*'(\w+)'/g,
];

const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;

const namedIn = remembered((_path, source) => {
  const text = source.replace(comments, '');
  return named.flatMap((pattern) => [...text.matchAll(pattern)].map(([, table = '']) => table));
});

/** Tables of one domain in statements of another: by name, by Prisma model, or by an imported typed table. */
export function foreignTables(sources: Sources, owners: ReadonlyMap<string, string>): string[] {
  const mine = Object.entries(sources).filter(([path]) => domainOf(path));
  const typed = new Set(
    mine.flatMap(([path, source]) =>
      [...source.matchAll(/^export const (\w+)\s*=\s*defineTable\b/gm)].map(([, name]) => `${path} ${name}`),
    ),
  );
  const byName = mine.flatMap(([path, source]) =>
    namedIn([path, source])
      .map((table) => ({ path, table, owner: owners.get(table) }))
      .filter(({ owner }) => owner !== undefined && owner !== domainOf(path))
      .map(({ table, owner }) => `${path} names ${table} of ${owner}`),
  );
  const byImport = listImports(Object.fromEntries(mine)).flatMap(({ from, to, names }) =>
    names
      .filter((name) => typed.has(`${to} ${name}`) && domainOf(from) !== domainOf(to))
      .map((name) => `${from} names ${name} of ${domainOf(to)}`),
  );
  return [...new Set([...byName, ...byImport])];
}

const asksBySql = /\.(?:sql|short|script)[<(]|\{[^{}]*\b(?:sql|short)\b[^{}]*\}\s*[=:]/;
const asksByPrisma = /\bprisma\.\w+\.|\{[^{}]*\bprisma\b[^{}]*\}\s*[=:]/;

/** Files that speak to the database both through Prisma and through `sql`. The handles themselves are made in src/db. */
export const filesMixingPrismaAndSql = (sources: Sources): string[] =>
  Object.entries(sources).flatMap(([file, text]) =>
    !file.startsWith('src/db/') && asksBySql.test(text) && asksByPrisma.test(text) ? [file] : [],
  );

/** Files with statements on tables that are no typed tables: plain records, which are Prisma's, asked by hand. */
export function filesWithSqlOnPrismaTables(sources: Sources, owners: ReadonlyMap<string, string>): string[] {
  const typed = new Set(
    Object.values(sources).flatMap((source) =>
      [...source.matchAll(/\bdefineTable<[^(]*\(\s*'(\w+)'/g)].map(([, table]) => table),
    ),
  );
  const isPlain = (table: string) => owners.has(table) && !typed.has(table);
  return Object.entries(sources).flatMap(([file, source]) =>
    !file.startsWith('src/db/') &&
    inStatements.some((pattern) =>
      [...source.replace(comments, '').matchAll(pattern)].some(([, table = '']) => isPlain(table)),
    )
      ? [file]
      : [],
  );
}
