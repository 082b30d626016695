/** A process that is killed or stopped while a script of a migration runs: the next one applies the migration in full. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import type { Db } from '../../src/db/handles.ts';
import { migrationsDir } from '../../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../../src/db/open-db.ts';
import { packageRoot } from '../../src/lib/package-info.ts';
import { runProcess } from '../support/cli.ts';
import { onPostgres, testDatabaseUrl, testDataDir } from '../support/database.ts';
import { nodeFlags } from '../support/node-flags.ts';

const migrationName = '20990101000000_waits';

/** Files in the folder of the database, which the script reads and writes through the server. */
const [gate, reached] = ['migration-gate', 'migration-waits'];

/** Changes the schema, creates the file `reached`, and waits until the file `gate` is gone. */
const waitingScript = `
create table half_done as select 1 as id;
do $$
begin
  execute format('copy (select 1) to %L', current_setting('data_directory') || '/${reached}');
  while (pg_stat_file('${gate}', true)).size is not null loop
    perform pg_sleep(0.05);
  end loop;
end
$$;
create table done as select id from half_done;
`;

/** Copy of the built package with one more migration. */
let installation: string;
beforeAll(async () => {
  installation = await mkdtemp(join(dirname(inject('programs')), 'one-more-migration-'));
  await cp(inject('programs'), join(installation, 'dist'), { recursive: true });
  for (const name of ['package.json', 'schema'])
    await cp(join(packageRoot, name), join(installation, name), { recursive: true });
  const migrations = join(installation, 'prisma', 'migrations');
  await cp(migrationsDir, migrations, { recursive: true });
  await mkdir(join(migrations, migrationName));
  await writeFile(join(migrations, migrationName, 'migration.sql'), waitingScript);
});
afterAll(() => rm(installation, { recursive: true, force: true }));
const program = () => join(installation, 'dist', 'duet.js');

interface MigratingProcess {
  child: ChildProcess;
  closed: Promise<unknown>;
  output(): string;
}

/** Starts a command and returns once its migration has changed the schema and waits. */
async function startWaiting({ folder, env }: Target, command: string): Promise<MigratingProcess> {
  await writeFile(join(folder, gate), '');
  await rm(join(folder, reached), { force: true });
  const child = spawn(process.execPath, [...nodeFlags, program(), command], { env, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  const closed = once(child, 'close');
  await expect.poll(() => existsSync(join(folder, reached)) || output, { timeout: 30_000 }).toBe(true);
  return { child, closed, output: () => output };
}

interface Target {
  /** Folder of the database, in which the script sees its files. */
  folder: string;
  env: NodeJS.ProcessEnv;
  open(): Promise<Db>;
  /** The script ends soon after its process, although it waits for the gate. */
  assertNothingRuns(): Promise<void>;
}

/** A database that lacks only the waiting migration. */
async function createTarget(): Promise<Target> {
  const common = { PATH: process.env.PATH, LOG_LEVEL: 'silent', PORT: '0', SEED_DEMO: 'off' };
  if (onPostgres) {
    const url = await testDatabaseUrl();
    const env = { ...common, DATABASE_URL: url };
    const open = () => openDb({ url });
    const assertNothingRuns = async () => {
      const db = await open();
      const select = `select query from pg_stat_activity
        where datname = current_database() and application_name = 'duet migrate'`;
      await expect.poll(() => db.sql(select, []), { timeout: 20_000 }).toEqual([]);
      await db.close();
    };
    return { folder: inject('postgresSocket'), env, open, assertNothingRuns };
  }
  const dataDir = await testDataDir();
  const folder = join(dataDir, 'db');
  const open = () => openDb({ dataDir: folder, template: inject('pgliteTemplate') });
  await (await open()).close();
  return { folder, env: { ...common, DATA_DIR: dataDir }, open, assertNothingRuns: async () => {} };
}

const migrateAgain = (env: NodeJS.ProcessEnv) =>
  runProcess(process.execPath, [...nodeFlags, program(), 'migrate'], {
    cwd: packageRoot,
    env,
    timeout: 60_000,
  });

/** The migration was applied once and in full. */
async function assertApplied({ open }: Target): Promise<void> {
  const db = await open();
  const rows = await db.sql<{ id: number }>('select id from done', []);
  const attempts = await db.sql<{ finished: boolean; rolled: boolean }>(
    `select finished_at is not null as finished, rolled_back_at is not null as rolled
     from _prisma_migrations where migration_name = $1 order by started_at`,
    [migrationName],
  );
  await db.close();
  expect(rows).toEqual([{ id: 1 }]);
  expect(attempts.filter(({ finished, rolled }) => finished && !rolled)).toHaveLength(1);
  expect(attempts.filter(({ finished, rolled }) => !finished && !rolled)).toEqual([]);
}

it.each(['migrate', 'start'])('continues after kill -9 of `duet %s` within a script', async (command) => {
  const target = await createTarget();
  const { child, closed } = await startWaiting(target, command);
  child.kill('SIGKILL');
  await closed;
  await target.assertNothingRuns();
  await rm(join(target.folder, gate));
  expect(await migrateAgain(target.env)).toMatchObject({
    code: 0,
    stdout: `Applied ${migrationName}\n`,
    stderr: '',
  });
  await assertApplied(target);
});

it.each(['migrate', 'start'])('finishes the script when SIGTERM stops `duet %s`', async (command) => {
  const target = await createTarget();
  const { child, closed, output } = await startWaiting(target, command);
  child.kill('SIGTERM');
  // The embedded database runs in the thread that would print the message.
  if (onPostgres) await expect.poll(output).toContain('the process stops when this is done');
  await rm(join(target.folder, gate));
  await closed;
  expect({ code: child.exitCode, signal: child.signalCode, output: output() }).toMatchObject({
    signal: 'SIGTERM',
  });
  await assertApplied(target);
});
