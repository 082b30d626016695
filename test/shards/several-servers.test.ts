/** DATABASE_SHARDS: parsing of the variables, migration of every server, and `duet shards`. */
import { expect, it } from 'vitest';
import type { DatabaseCommand } from '../../src/cli/command-types-and-usage-error.ts';
import { migrateCommand } from '../../src/cli/commands/migrate-and-create-queues.ts';
import { shardsCommand } from '../../src/cli/commands/shards.ts';
import { doctorDatabaseCommand } from '../../src/cli/doctor/check-database.ts';
import { openDatabase } from '../../src/cli/open-and-migrate-databases.ts';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import { newId } from '../../src/lib/ids.ts';
import { runDuet } from '../support/cli.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { startPostgresServer } from '../support/postgres-server.ts';

const databaseUrl = 'postgres://duet:secret@home:5432/duet';

const configErrors = (env: Record<string, string>): string[] => {
  try {
    readConfig({ DATABASE_URL: databaseUrl, ...env });
    return [];
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split('\n');
  }
};

/** Output of a command on the servers of `env`, also when it fails. */
async function run(command: DatabaseCommand, env: Record<string, string>) {
  const config = readConfig(env);
  const db = await openDatabase(config);
  const output: string[] = [];
  const context = { config, db, cwd: '.', write: (text: string) => void output.push(text) };
  try {
    await command(context, ['--json']);
    return { output: JSON.parse(output.join('')), error: undefined };
  } catch (error) {
    return { output: JSON.parse(output.join('') || 'null'), error: String(error) };
  } finally {
    await db.close();
  }
}

it('reads several servers, each with one or several hosts', () => {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    DATABASE_SHARDS:
      'a=postgres://u:p@a1:5432,a2:5432/duet?target_session_attrs=read-write, b-2=postgres://b/duet',
    SHARD_WEIGHTS: 'home=0,b-2=3',
  });
  expect(config.databaseShards).toEqual([
    { name: 'a', url: 'postgres://u:p@a1:5432,a2:5432/duet?target_session_attrs=read-write', weight: 1 },
    { name: 'b-2', url: 'postgres://b/duet', weight: 3 },
  ]);
  expect(config.homeServerWeight).toBe(0);
});

it('names every invalid value at once, without passwords', () => {
  expect(
    configErrors({
      DATABASE_SHARDS:
        'postgres://u:secret@x/duet,Bad=postgres://u:secret@b/duet,home=postgres://u:secret@c/duet,d=mysql://u:secret@d/x,e=postgres://e/x,e=postgres://e/x',
      SHARD_WEIGHTS: 'a=many,b=1,b=2',
    }),
  ).toEqual([
    'DATABASE_SHARDS: entry 1 must look like name=postgresql://user:password@host:5432/name',
    'DATABASE_SHARDS: "Bad" is no name: up to 31 lower-case letters, digits and hyphens',
    'DATABASE_SHARDS: "home" is the name of the server of DATABASE_URL',
    'DATABASE_SHARDS: the URL of "d" must look like postgresql://user:password@host:5432/name',
    'DATABASE_SHARDS: "e" is the name of two servers',
    'DATABASE_SHARDS: the URL of "e" is also the URL of another server',
    'SHARD_WEIGHTS: "a=many" must look like name=2, with a weight from 0 to 9999',
    'SHARD_WEIGHTS: there are two weights of "b"',
  ]);
  expect(configErrors({ DATABASE_SHARDS: `a=${databaseUrl}`, SHARD_WEIGHTS: 'c=1,home=0,a=0' })).toEqual([
    'SHARD_WEIGHTS: there is no server "c", only home, a',
    'DATABASE_SHARDS: the server of DATABASE_URL is the home server, and not a shard.',
    'SHARD_WEIGHTS: all weights are 0, so that no server gets new businesses.',
  ]);
  expect(configErrors({ DATABASE_URL: '', DATABASE_SHARDS: 'a=postgres://a/duet' })).toEqual([
    'DATABASE_SHARDS: set DATABASE_URL to the home server, which has the accounts.',
  ]);
});

it('migrates every server, and lists them with their sizes and load', async () => {
  const [home, second] = [
    await testDatabaseUrl({ migrated: false }),
    await testDatabaseUrl({ migrated: false }),
  ];
  const env = { DATABASE_URL: home, DATABASE_SHARDS: `second=${second}`, SHARD_WEIGHTS: 'second=2' };
  const migrated = await run(migrateCommand, env);
  expect(migrated.error).toBeUndefined();
  expect(migrated.output.shards).toEqual([{ name: 'second', applied: migrated.output.applied }]);
  expect(migrated.output.applied.length).toBeGreaterThan(10);
  const { output, error } = await run(shardsCommand, env);
  expect(error).toBeUndefined();
  const server = {
    pendingMigrations: 0,
    businesses: 0,
    bytes: expect.any(Number),
    connections: expect.any(Number),
    maxConnections: expect.any(Number),
    transactionsPerSecond: expect.any(Number),
  };
  expect(output.servers).toEqual([
    { name: 'home', weight: 1, ...server },
    { name: 'second', weight: 2, ...server },
  ]);
});

it('reports a server that does not answer, and works on the others', async () => {
  const second = await startPostgresServer();
  const home = await testDatabaseUrl();
  const env = {
    DATABASE_URL: home,
    DATABASE_SHARDS: `second=${second.url},third=${await testDatabaseUrl()}`,
  };
  await second.stop();
  const listed = await run(shardsCommand, env);
  expect(listed.error).toContain('1 of 3 servers are unavailable.');
  expect(listed.output.servers).toMatchObject([
    { name: 'home', businesses: 0 },
    { name: 'second', error: expect.stringContaining(`nothing answers at 127.0.0.1:${second.port}`) },
    { name: 'third', businesses: 0 },
  ]);
  const migrated = await run(migrateCommand, env);
  expect(migrated.error).toContain(
    '1 of 2 servers of DATABASE_SHARDS were not migrated. Run duet migrate again.',
  );
  await second.start();
  expect((await run(migrateCommand, env)).output.shards[0].applied.length).toBeGreaterThan(10);
});

it('checks every server with duet doctor', async () => {
  const DATABASE_URL = await testDatabaseUrl();
  const second = await testDatabaseUrl({ migrated: false });
  const DATABASE_SHARDS = `second=${second},third=postgres://duet@127.0.0.1:1/duet`;
  const { output } = await run(doctorDatabaseCommand, { DATABASE_URL, DATABASE_SHARDS });
  expect(output.findings).toEqual(
    expect.arrayContaining([
      { subject: 'migrations', level: 'ok', message: 'up to date' },
      { subject: 'database', level: 'ok', message: expect.stringMatching(/^second: PostgreSQL/) },
      {
        subject: 'migrations',
        level: 'error',
        message: expect.stringMatching(/^second: \d+ pending\. Run: duet migrate$/),
      },
      {
        subject: 'shards',
        level: 'error',
        message: expect.stringContaining('third: nothing answers at 127.0.0.1:1'),
      },
    ]),
  );
});

it('reports a copy that is not finished with duet doctor', async () => {
  const DATABASE_URL = await testDatabaseUrl();
  const db = await openDb({ url: DATABASE_URL });
  const move = { source: 'home', target: 'second', startedAt: 0, updatedAt: 0 };
  const [copying, rehearsed] = [newId(), newId()];
  await db.prisma.businessMove.createMany({
    data: [
      { ...move, businessId: copying, step: 'COPYING' },
      { ...move, businessId: rehearsed, step: 'REHEARSED' },
    ],
  });
  await db.close();
  const { output } = await run(doctorDatabaseCommand, { DATABASE_URL });
  const findings: { subject: string; message: string }[] = output.findings;
  expect(findings.filter(({ subject }) => subject === 'moves').map(({ message }) => message)).toEqual([
    expect.stringContaining(`duet move ${copying} second --cancel`),
  ]);
});

it('rejects two addresses of one database', async () => {
  const home = await testDatabaseUrl();
  const env = { DATABASE_URL: home, DATABASE_SHARDS: `second=${home.replace('127.0.0.1', 'localhost')}` };
  expect((await run(shardsCommand, env)).error).toContain(
    'DATABASE_SHARDS: home and second are the same database',
  );
});

it('starts a gateway on several servers only without the parts that would leave some out', async () => {
  const env = { DATABASE_URL: databaseUrl, DATABASE_SHARDS: 'second=postgres://second/duet' };
  const { code, stderr } = await runDuet(['start'], { env });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('does not support all parts: set USAGE=off, set REQUEST_LOG=off.'),
  });
});
