/** Private and patched APIs of dependencies are used in src/vendor only, behind few functions, each dependency with its test. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const maxSites = 25;

/** Uses of private APIs, each with a line that must be found. */
const patterns: readonly (readonly [name: string, pattern: RegExp, planted: string])[] = [
  ['zod internals', /\b_zod\b|\._def\b/, 'schema._zod.run(payload, ctx)'],
  [
    'extensions of Pothos',
    /\bpothos(Options|OriginalResolve|OriginalSubscribe|ExposedField|ResolveWrapped|PrismaModel|Prisma\w*Select|Indirect\w*)\b/,
    'field.extensions.pothosOptions',
  ],
  ['tables of pg-boss', /\bpgboss\./, "sql('select 1 from pgboss.job')"],
  ['migrations table of Prisma', /_prisma_migrations/, "sql('select 1 from _prisma_migrations')"],
  ['schema engine of Prisma', /schema-engine-wasm/, "import('@prisma/schema-engine-wasm')"],
  ['errors inside errors of Prisma', /\bdriverAdapterError\b/, 'error.meta.driverAdapterError'],
  ['socket of a pg client', /\bconnection\??\.stream\b/, 'client.connection.stream.destroy()'],
  ['keys of a pg client', /\bprocessID\b|\bsecretKey: number/, 'client.processID'],
  ['V8', /setFlagsFromString|'node:(v8|vm)'/, "import { Script } from 'node:vm';"],
  ['members with an underscore', /[\w)\]]\??\._(?!count|sum|avg|min|max)[a-zA-Z]/, 'socket._httpMessage'],
  ['overridden members with an underscore', /\boverride (async )?_/, 'override async _initArrayTypes() {'],
  ['modules of Emscripten', /\.mod\b|_Postgres[A-Z]/, 'pglite.mod'],
  ['casts to invented shapes', /\bas unknown as \{/, 'client as unknown as { processID: number }'],
  [
    'deep imports',
    /'(?![./]|node:)[^' ]+\/(dist|lib|src|esm|cjs|build|internal)\/[^']*'/,
    "from 'pg/lib/query.js'",
  ],
  ['prototype patches', /\.prototype(\.\w+|\[[^\]]+\])\s*=[^=]/, 'Pool.prototype.query = query;'],
  [
    'patched objects',
    /\b(pool|client|boss|pglite|connection)\.(query|connect|on|fetch|send|exec\w*|transaction)\s*=[^=>]/,
    'pool.query = query;',
  ],
  [
    'replaced members of a copy',
    /Object\.create\([^)]*\)?, \{/,
    'Object.create(await adapter(), { client })',
  ],
  ['global symbols', /\bSymbol\.for\(/, "Symbol.for('pothos')"],
  ['module loader', /\bModule\._|\brequire\.(cache|extensions)\b|process\.binding\(/, 'Module._load(id)'],
];

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('generated/'))
  .map((name) => ({ path: `src/${name}`, text: readFileSync(`src/${name}`, 'utf8') }));
/** A Pothos plugin gets the options of a field in its public hook. */
const isPluginFile = (path: string) => path === 'src/graphql/schema/pure-field-plugin.ts';
const outside = files.filter(({ path }) => !path.startsWith('src/vendor/') && !isPluginFile(path));
const inside = files.filter(({ path }) => path.startsWith('src/vendor/'));

/** Lines without comments. */
const codeLines = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s)\/\/ .*$/, ''));

it.each(patterns)('%s are used in src/vendor only', (_name, pattern, planted) => {
  const uses = outside.flatMap(({ path, text }) =>
    codeLines(text)
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(uses).toEqual([]);
  expect(planted).toMatch(pattern);
});

it('resolves files of packages in two places only', () => {
  expect(
    outside
      .filter(({ text }) => /createRequire\(/.test(text))
      .map(({ path }) => path)
      .sort(),
  ).toEqual([
    // Loaded in a worker thread that has no module of its own.
    'src/auth/password-hashing-threads.ts',
    // Reads the version in package.json, which the package exports.
    'src/http/pages/graphiql-pages.ts',
  ]);
});

it(`has at most ${maxSites} functions and classes`, () => {
  const sites = inside.flatMap(({ text }) =>
    [...text.matchAll(/^export (?:async )?(?:function|class|const) (\w+)/gm)].map(([, name]) => name),
  );
  expect(sites.length).toBeGreaterThan(20);
  expect(sites.length, sites.join(', ')).toBeLessThanOrEqual(maxSites);
});

it('has a test for each dependency, which names the versions that were seen', () => {
  const dependencies = readdirSync('src/vendor');
  expect(dependencies.filter((name) => !existsSync(`test/vendor/${name}.test.ts`))).toEqual([]);
  for (const name of dependencies)
    expect(readFileSync(`test/vendor/${name}.test.ts`, 'utf8'), name).toMatch(
      /seenOnVersions\(|Seen on Node/,
    );
});
