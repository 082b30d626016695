/** Import directions: http to rest and graphql, those to domains, domains to the database and the ports. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  domainCycles,
  fileCycles,
  filesMixingPrismaAndSql,
  filesWithSqlOnPrismaTables,
  foreignTables,
  type Import,
  listImports,
  type Sources,
  tableOwners,
  upwardImports,
} from '../support/import-graph.ts';

const read = (folder: string, ending: string): Sources =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith(ending) && !name.startsWith('generated/'))
      .map((name) => [`${folder}/${name}`, readFileSync(`${folder}/${name}`, 'utf8')]),
  );

const sources = read('src', '.ts');
const owners = tableOwners(read('prisma/models', '.prisma'));
const imports = listImports(sources);
const files = Object.keys(sources);

const offenders = (isForbidden: (statement: Import) => boolean) =>
  imports.filter(isForbidden).map(({ from, to }) => `${from} imports ${to}`);
const matching = (among: readonly string[], pattern: RegExp) =>
  among.filter((file) => pattern.test(sources[file] ?? ''));

describe('imports', () => {
  it('never lead to a higher layer, including type imports', () => {
    expect(upwardImports(sources)).toEqual([]);
  });

  it('form no cycle of files', () => {
    expect(fileCycles({ ...sources, ...read('scripts', '.ts') })).toEqual([]);
  });

  it('form no cycle of domains', () => {
    expect(domainCycles(sources)).toEqual([]);
  });

  it('give no access to the tables of another domain', () => {
    expect(foreignTables(sources, owners)).toEqual([]);
  });
});

it('uses either Prisma or SQL in a file, never both', () => {
  expect(filesMixingPrismaAndSql(sources)).toEqual([]);
  const planted = 'src/domains/products/planted.ts';
  for (const source of [
    "await tx.prisma.role.count();\nawait tx.sql('select 1');",
    'const { prisma } = tx;\nawait ctx.db.sql<Row>(text);',
    'const { prisma, log } = services.db;\nawait ctx.db.shortRead<Row>(text);',
    'await tx.prisma.role.create({});\nawait tx.write(text);',
    'const { sql } = tx;\nawait tx.prisma.role.count();',
    'async function count({ sql }: QueryHandle) {}\nawait tx.prisma.role.count();',
  ])
    expect(filesMixingPrismaAndSql({ ...sources, [planted]: source })).toEqual([planted]);
});

it('uses SQL for plain records only where Prisma cannot express the query or is too slow', () => {
  const [startUp, queue, contactSql, lock, derived] = [
    'runs before the first request, which would wait 0.3 s longer for the query compiler of Prisma',
    'a queue: rows are claimed with SKIP LOCKED, counted and settled, never read as records',
    'conditions that domains add as SQL (shared/contactSql.ts)',
    'row locks and conditional updates resolve races',
    'tables maintained by triggers of hot records, used as conditions in their statements',
  ];
  const move = 'two servers, on one connection each: fences, snapshots and statements without triggers';
  const reasons: Record<string, string> = {
    'src/shards/move/check-prerequisites.ts': move,
    'src/shards/move/child-rows.ts': move,
    'src/shards/move/move-record.ts': move,
    'src/shards/move/pause-writes.ts': move,
    'src/shards/move/prepare-target.ts': move,
    'src/shards/move/snapshots.ts': move,
    'src/servers/business-servers.ts': 'a slug on every server',
    'src/shards/supported-operations.ts': 'the business of a record on every server',
    'src/auth/account-placeholder-rows.ts':
      'the only statements on accounts that other servers accept, by their text',
    'src/idempotency.ts': 'written by every keyed request',
    'src/auth/viewer-and-authentication.ts': 'read by every request',
    'src/auth/load-viewer-of-identity.ts': 'reads the same columns as every request',
    'src/auth/assert-business-exists.ts': 'used by hot reads that find no rows',
    'src/auth/find-publicly-readable-business.ts': 'read by every request without a token',
    'src/auth/permission-condition-sql.ts': 'a condition in hot statements',
    'src/auth/revoked-session-cache.ts': startUp,
    'src/auth/load-rotate-and-reencrypt-stored-keys.ts': startUp,
    'src/maintenance/send-edge-cache-purges.ts': queue,
    'src/seed/demo.ts': startUp,
    'src/adapters/payments/sandbox.ts': lock,
    'src/adapters/payments/sandbox-subscriptions.ts': lock,
    'src/adapters/payments/sandbox-refunds.ts': lock,
    'src/domains/businesses/promo-codes/promo-claims.ts': lock,
    'src/domains/orders/manage/insert-save-and-delete-order.ts': lock,
    'src/domains/orders/audit/audit-order-numbers.ts': 'a consistent snapshot of two tables',
    'src/domains/orders/manage/skip-order-numbers.ts': 'one atomic statement for all businesses',
    'src/domains/webhooks/encrypt-webhook-secrets.ts': lock,
    'src/domains/newsletter/sending/claim-recipients.ts': queue,
    'src/domains/newsletter/billing/queue-and-run-provider-cancellations.ts': queue,
    'src/domains/newsletter/sending/load-sends-by-entry-ids.ts': queue,
    'src/domains/newsletter/privacy/personal-data-newsletter-fields.ts': queue,
    'src/domains/newsletter/sending/collect-recipients.ts': queue,
    'src/domains/newsletter/sending/load-send-progress.ts': queue,
    'src/domains/webhooks/delivery/claim-deliveries-and-record-outcomes.ts': queue,
    'src/domains/bulk/lifecycle/progress.ts': lock,
    'src/domains/bulk/lifecycle/run-operation.ts': 'runs every minute: an idle gateway does not load Prisma',
    'src/domains/bulk/files/register-stored-bytes-counter.ts': 'sums a field of a JSON document',
    'src/domains/media/media-references.ts': lock,
    'src/domains/media/delete-unused-media.ts': lock,
    'src/domains/businesses/register-category-slug-referrer.ts':
      'condition inside a JSON list, part of a statement of categories',
    'src/domains/businesses/staff/register-staff-contacts.ts': contactSql,
    'src/domains/users/people/user-lookups-for-other-domains.ts': contactSql,
    'src/domains/users/people/contact-id-source.ts': contactSql,
    'src/domains/groups/load-group-names-of-customers.ts':
      'quotes, carts and checkouts read two tables in one statement',
    'src/domains/businesses/selling-terms.ts': 'checkouts and quotes run five queries in one statement',
    'src/domains/users/people/load-contact-details.ts': 'read by checkouts and order lists',
    'src/domains/users/people/user-and-api-key-names.ts':
      'users and their API keys are read in one statement',
    'src/domains/usage/read-api-usage.ts': 'aggregates by client',
    'src/domains/request-log/write-skipped-counts.ts':
      'adds to the counts of other processes, many rows in one statement',
    'src/domains/usage/write-usage-counts.ts':
      'adds to the counts of other processes, many rows in one statement',
    'src/domains/users/privacy/retention-rules.ts': 'deletes in batches',
    'src/domains/businesses/promo-codes/audit-promo-codes.ts': 'aggregates over two tables',
    'src/domains/webhooks/delivery/failed-deliveries.ts': 'a list for operators that joins three tables',
    'src/domains/payments/register-sandbox-email-eraser.ts': 'updates a field in a JSON document',
    'src/domains/entries/read/sort-by-block.ts': derived,
    'src/domains/entries/read/list-entries.ts': derived,
    'src/domains/entries/slugs/find-entry-by-previous-slug.ts': derived,
    'src/domains/products/search/facets.ts': derived,
    'src/domains/products/read/find-product.ts': derived,
    'src/domains/products/search/sort-page-sources.ts': derived,
    'src/domains/products/search/suggestions.ts': derived,
    'src/domains/shared/delete-captured-messages.ts': 'compares addresses in lower case',
    'src/domains/webhooks/emit-events.ts': 'part of the statement of the change',
  };
  expect(filesWithSqlOnPrismaTables(sources, owners).sort()).toEqual(Object.keys(reasons).sort());
});

describe('a violation is reported:', () => {
  const path = (folder: string) => `src/${folder}/planted.ts`;
  const plant = (folder: string, source: string): Sources => ({ ...sources, [path(folder)]: source });

  it.each([
    ['rest', '../http/server.ts'],
    ['graphql', '../http/endpoint-route.ts'],
    ['lib', '../context.ts'],
    ['db', '../domains/products/model.ts'],
    ['domains/products', '../../http/server.ts'],
    ['domains/products', '../../adapters/mail/smtp.ts'],
    ['auth', '../domains/products/model.ts'],
    ['live', '../context.ts'],
    ['new-room', '../errors.ts'],
  ])('a type import from a higher layer in %s', (folder, target) => {
    const to = `src/${target.replace(/^(\.\.\/)+/, '')}`;
    for (const source of [
      `import type { X } from '${target}';`,
      `import { x, type X } from '${target}';`,
      `export * from '${target}';`,
      `export type { X } from '${target}';`,
      `type X = import('${target}').X;`,
    ])
      expect(upwardImports(plant(folder, source))).toContain(`${path(folder)} imports ${to}`);
  });

  it('a cycle of type imports between files, and between domains', () => {
    const model = 'src/domains/products/model.ts';
    const planted = path('domains/planted');
    const oneWay = plant('domains/planted', `import type { Product } from '../products/model.ts';`);
    const round = {
      ...oneWay,
      [model]: `import type { X } from '../planted/planted.ts';\n${sources[model]}`,
    };
    expect(fileCycles(oneWay)).toEqual(fileCycles(sources));
    expect(fileCycles(round).filter((circle) => circle.includes('planted'))).toEqual([
      `${planted} -> ${model} -> ${planted}`,
    ]);
    expect(domainCycles(round).filter((circle) => circle.includes('planted'))).toEqual([
      'planted -> products -> planted',
    ]);
  });

  it.each([
    ['orders', 'await ctx.db.sql(`select 1 from products p\n  join orders o on true`)'],
    ['orders', "await tx.sql('select 1 from products p, orders o')"],
    ['orders', "await tx.write('UPDATE orders set total = 0')"],
    ['orders', "await tx.write('delete from only orders')"],
    ['prisma.order', 'await ctx.db.prisma.order.findMany()'],
  ])('the table %s of another domain in %s', (table, source) => {
    expect(foreignTables(plant('domains/products', source), owners)).toContain(
      `${path('domains/products')} names ${table} of orders`,
    );
    expect(foreignTables(plant('domains/orders', source), owners).join()).not.toContain(
      `${path('domains/orders')} names ${table}`,
    );
  });

  it('a typed table imported by another domain', () => {
    const planted = {
      ...plant('domains/products', `export const shelves = defineTable<Shelf>('shelves', 's', {});`),
      'src/domains/orders/shelf.ts': `import { shelves } from '../products/planted.ts';`,
    };
    expect(foreignTables(planted, owners)).toContain('src/domains/orders/shelf.ts names shelves of products');
  });
});

it('lets REST routes import only stored operations', () => {
  const allowed = new Set(['src/generated/operations.ts', 'src/rest/route.ts']);
  const isRouteFile = (file: string) => /^src\/domains\/[\w-]+\/routes\.ts$/.test(file);
  expect(offenders(({ from, to }) => isRouteFile(from) && !allowed.has(to))).toEqual([]);
  // No other file of a domain depends on REST.
  expect(
    offenders(
      ({ from, to }) => from.startsWith('src/domains/') && to.startsWith('src/rest/') && !isRouteFile(from),
    ),
  ).toEqual([]);
});

it('lets only adapters import vendor SDKs', () => {
  const vendors =
    /^(stripe|nodemailer|ioredis|openid-client|pg-boss|prom-client|twilio|rate-limiter-flexible|aws4fetch|sharp|@opentelemetry)(\/|$)/;
  expect(offenders(({ from, to }) => vendors.test(to) && !/^src\/(adapters|vendor)\//.test(from))).toEqual(
    [],
  );
});

it('loads the trace exporter on demand only', () => {
  const statically = /^(?:import|export)(?! type)[^;]*?from\s+'[^']*(?:@opentelemetry\/|traces\/)/m;
  expect(matching(files, statically).filter((file) => !file.startsWith('src/adapters/traces/'))).toEqual([]);
});

it('lets only src/db import database drivers', () => {
  const drivers = /^(pg|@electric-sql\/pglite|@prisma\/adapter-pg|pglite-prisma-adapter)(\/|$)/;
  expect(
    offenders(({ from, to, typeOnly }) => drivers.test(to) && !typeOnly && !/^src\/(db|vendor)\//.test(from)),
  ).toEqual([]);
});

it('lets only platform layers import src/vendor, which imports nothing of ours', () => {
  const platform = /^src\/(vendor|db|graphql|adapters|lib|cli|http|shards)\//;
  const isVendor = (path: string) => path.startsWith('src/vendor/');
  expect(offenders(({ from, to }) => isVendor(to) && !platform.test(from))).toEqual([]);
  expect(
    offenders(
      ({ from, to }) => isVendor(from) && to.startsWith('src/') && to.split('/')[2] !== from.split('/')[2],
    ),
  ).toEqual([]);
});

it('lets only use cases access the database', () => {
  const thin = files.filter((file) =>
    /^src\/domains\/\w[\w-]*\/(types|inputs|queries|mutations|rules|schemas|model|permissions|webhook-events|jobs|retention-rules)\.ts$/.test(
      file,
    ),
  );
  expect(matching(thin, /\b(?:ctx|tx)\.(?:db\b|sql\(|prisma\b)/)).toEqual([]);
  const outside = files.filter((file) => /^src\/(rest|http)\//.test(file));
  expect(matching(outside, /\.(?:sql|prisma)\b[.(]/)).toEqual([]);
});

it('imports the database layer in domains through src/db/index.ts only', () => {
  expect(
    offenders(
      ({ from, to }) =>
        from.startsWith('src/domains/') && to.startsWith('src/db/') && to !== 'src/db/index.ts',
    ),
  ).toEqual([]);
});

it.each(['src/graphql/fast', 'src/db/batching'])('imports %s through its index.ts only', (folder) => {
  expect(
    offenders(
      ({ from, to }) =>
        to.startsWith(`${folder}/`) && to !== `${folder}/index.ts` && !from.startsWith(`${folder}/`),
    ),
  ).toEqual([]);
});

it('keeps the fast path out of the domains, the schema and the reference execution', () => {
  const mayUse = /^src\/(?:graphql\/fast|rest|http)\//;
  expect(offenders(({ from, to }) => to.startsWith('src/graphql/fast/') && !mayUse.test(from))).toEqual([]);
});

it('defines the records of pages at module level, where no request is in scope', () => {
  const nested = /^(?!(?:export )?const \w+ = ).*\bdefinePageRecords(?:<[^(]*>)?\(/m;
  expect(matching(files, nested).filter((file) => file !== 'src/db/pages/owned-page.ts')).toEqual([]);
});

it('reads the environment in one place', () => {
  // The two entry points pass it to config.ts, where it is called `env`. The files of rest/translation print it in examples.
  expect(matching(files, /process\.env\b/).sort()).toEqual([
    'src/cli/duet.ts',
    'src/config.ts',
    'src/main.ts',
    'src/rest/translation/format-client-code.ts',
    'src/rest/translation/shell-variables.ts',
  ]);
});
