/** Writes the next migration from the difference between prisma/migrations and the Prisma schema, or checks that there is none. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { EmbeddedPrismaAdapterFactory } from '../src/db/embedded/prisma-adapter.ts';
import {
  loadMigrations,
  loadMigrationsForSchemaEngine,
  migrationsDir,
  noExternalSchemaObjects,
} from '../src/db/migrations/apply-and-list-migrations.ts';
import { contractMigrationNamePattern } from '../src/db/migrations/detect-newer-database.ts';
import { packageRoot, packageVersion } from '../src/lib/package-info.ts';
import { openSchemaEngine } from '../src/vendor/prisma/schema-engine.ts';
import { type Finding, lintContract, lintMigration } from './migration-lint.ts';

/** Last migration that is not linted: it was released before there were installations that upgrade without downtime. */
const baseline = '20261115121500_stock_ledger';

/** Last migration of version 0.2.0. Later ones follow expand and contract. */
const lastOfVersion020 = '20261117074500_requests_of_creates';

/** SQL that migrates from the migrations to the schema; empty when they agree. */
export async function schemaDrift(): Promise<string> {
  // The engine replays the migrations into the database of the adapter, which must be empty.
  const pglite = await PGlite.create();
  try {
    const engine = await openSchemaEngine(new EmbeddedPrismaAdapterFactory(pglite));
    const { stdout, exitCode } = await engine.diff({
      from: { tag: 'migrations', ...loadMigrationsForSchemaEngine() },
      to: { tag: 'schemaDatamodel', files: await schemaFiles() },
      script: true,
      exitCode: true,
      filters: noExternalSchemaObjects,
    });
    return exitCode === 0 ? '' : (stdout ?? '');
  } finally {
    await pglite.close();
  }
}

async function schemaFiles() {
  const folder = join(packageRoot, 'prisma');
  const names = (await readdir(folder, { recursive: true }))
    .filter((name) => name.endsWith('.prisma'))
    .sort();
  return Promise.all(
    names.map(async (name) => ({ path: name, content: await readFile(join(folder, name), 'utf8') })),
  );
}

/** Linter messages of the migrations after the baseline, one line each. */
export const lintNewMigrations = (migrations: readonly { name: string; script: string }[]): string[] =>
  migrations.flatMap(({ name, script }) => {
    const message = ({ line, rule, reason }: Finding) =>
      `prisma/migrations/${name}/migration.sql:${line}: ${rule}: ${reason}`;
    const isContract = contractMigrationNamePattern.test(name);
    const findings = name > baseline ? lintMigration(script) : [];
    return [
      ...findings
        .filter(({ rule }) => !(isContract && contractRules.has(rule)))
        .map((finding) => `${message(finding)} To allow it, add "-- lint: allow ${finding.rule}: <reason>".`),
      ...(name > lastOfVersion020 ? lintContract(name, script, packageVersion).map(message) : []),
    ];
  });

/** Rules whose only reason is the previous version, which a contract migration no longer affects. */
const contractRules = new Set(['drop-column', 'drop-table', 'rename']);

async function main([command, name]: string[]): Promise<number> {
  if (command === 'check') {
    const messages = lintNewMigrations(loadMigrations());
    for (const message of messages) console.error(message);
    if (messages.length > 0) return 1;
    const drift = await schemaDrift();
    if (drift === '') return 0;
    console.error(
      `prisma/migrations and the schema disagree. Run: npx tsx scripts/migration.ts new <name>\n\n${drift}`,
    );
    return 1;
  }
  if (command !== 'new' || !name || !/^[a-z0-9_]+$/.test(name)) {
    console.error('Usage: tsx scripts/migration.ts new <name_in_lower_case> | check');
    return 2;
  }
  const script = await schemaDrift();
  if (script === '') {
    console.log('Nothing to do: prisma/migrations and the schema agree.');
    return 0;
  }
  const timestamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(migrationsDir, `${timestamp}_${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'migration.sql'), script);
  console.log(`Wrote ${folder}/migration.sql. Read it before you commit it.`);
  return 0;
}

if (process.argv[1] === import.meta.filename) {
  // The embedded database lives for seconds: optimising its WebAssembly takes twice as long as everything it does.
  setFlagsFromString('--liftoff-only');
  process.exitCode = await main(process.argv.slice(2));
}
