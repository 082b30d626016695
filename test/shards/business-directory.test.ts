/** The directory of businesses: cached in every process, current after every change, and verified by `duet shards --check`. */
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { shardsCommand } from '../../src/cli/commands/shards.ts';
import { openDatabase } from '../../src/cli/open-and-migrate-databases.ts';
import { readConfig } from '../../src/config.ts';
import type { Db } from '../../src/db/handles.ts';
import { migrate } from '../../src/db/migrations/apply-and-list-migrations.ts';
import { openDb } from '../../src/db/open-db.ts';
import { newId } from '../../src/lib/ids.ts';
import {
  assignServerToNewBusiness,
  type BusinessDirectory,
  chooseWeightedServerForNewBusiness,
  openBusinessDirectory,
} from '../../src/shards/business-directory.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';

const log = pino({ level: 'silent' });

let server: PostgresServer;
let home: Db;
/** Of two processes. */
let directories: BusinessDirectory[];
let statements: string[];

beforeAll(async () => {
  server = await startPostgresServer();
  statements = [];
  home = await openDb({ url: server.url, onStatement: (text) => void statements.push(text) });
  await migrate(home);
  const other = await openDb({ url: server.url, onStatement: (text) => void statements.push(text) });
  directories = [await openBusinessDirectory(home, log), await openBusinessDirectory(other, log)];
  return async () => {
    await Promise.all(directories.map((directory) => directory.close()));
    await other.close();
  };
});
afterAll(() => home.close());

const find = (id: string) => Promise.all(directories.map((directory) => directory.findServer(id)));

/** The notification of the insert itself may arrive after the first read. */
const untilCached = (id: string, server: string) =>
  vi.waitFor(async () => {
    statements.length = 0;
    expect(await find(id)).toEqual([server, server]);
    expect(statements).toEqual([]);
  }, 10_000);

const move = (businessId: string, shard: string) =>
  home.prisma.businessPlacement.update({ where: { businessId }, data: { shard } });

it('finds the home server for businesses without an entry, and for values that are no ids', async () => {
  expect(await find(newId())).toEqual(['home', 'home']);
  expect(await find('tea-and-co')).toEqual(['home', 'home']);
});

it('reads an entry once, and finds every change in every process', async () => {
  const id = newId();
  await assignServerToNewBusiness(home, id, 'second');
  await untilCached(id, 'second');
  expect(await find(id.toUpperCase())).toEqual(['second', 'second']);
  expect(statements).toEqual([]);
  await move(id, 'third');
  await vi.waitFor(async () => expect(await find(id)).toEqual(['third', 'third']), 10_000);
  await home.prisma.businessPlacement.delete({ where: { businessId: id } });
  await vi.waitFor(async () => expect(await find(id)).toEqual(['home', 'home']), 10_000);
});

it('does not cache what it read before a change', async () => {
  const id = newId();
  const [directory] = directories;
  await assignServerToNewBusiness(home, id, 'second');
  const reading = directory?.findServer(id);
  directory?.forget(id);
  await reading;
  await move(id, 'third');
  statements.length = 0;
  expect(await directory?.findServer(id)).toBe('third');
  expect(statements).toHaveLength(1);
});

it('assigns a business once', async () => {
  const id = newId();
  await assignServerToNewBusiness(home, id, 'second');
  await expect(assignServerToNewBusiness(home, id, 'third')).rejects.toThrow();
  expect(await find(id)).toEqual(['second', 'second']);
});

it('answers from the cache while the home server is down, and finds later changes', async () => {
  const [known, unknown] = [newId(), newId()];
  await assignServerToNewBusiness(home, known, 'second');
  await untilCached(known, 'second');
  await server.stop();
  expect(await find(known)).toEqual(['second', 'second']);
  await expect(directories[0]?.findServer(unknown)).rejects.toThrow();
  await server.start();
  // Notified before the listeners have reconnected, or afterwards: both must be noticed.
  await server.query(`update business_placements set shard = 'third' where business_id = '${known}'`);
  await vi.waitFor(async () => expect(await find(known)).toEqual(['third', 'third']), 30_000);
  expect(await find(unknown)).toEqual(['home', 'home']);
});

it('chooses servers for new businesses by weight', () => {
  const servers = [
    { name: 'home', weight: 1 },
    { name: 'full', weight: 0 },
    { name: 'second', weight: 3 },
  ];
  const chosen = [0, 0.24, 0.25, 0.6, 0.999].map((fraction) =>
    chooseWeightedServerForNewBusiness(servers, fraction),
  );
  expect(chosen).toEqual(['home', 'home', 'second', 'second', 'second']);
});

it('verifies that every business is on the server that the directory names', async () => {
  const urls = [await testDatabaseUrl(), await testDatabaseUrl()];
  const [first, second] = await Promise.all(urls.map((url) => openDb({ url })));
  const config = readConfig({ DATABASE_URL: urls[0], DATABASE_SHARDS: `second=${urls[1]}` });
  const createBusiness = (db: Db | undefined, id: string) =>
    db?.prisma.business.create({ data: { id, name: id, slug: id, createdAt: 0, updatedAt: 0 } });
  const [onHome, onSecond, unlisted, onBoth, missing, elsewhere] = Array.from({ length: 6 }, newId) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  async function check() {
    const db = await openDatabase(config);
    const output: string[] = [];
    const context = { config, db, cwd: '.', write: (text: string) => void output.push(text) };
    const error = await shardsCommand(context, ['--check', '--json']).catch(String);
    await db.close();
    return { findings: JSON.parse(output.join('')).findings, error };
  }
  if (!first || !second) throw new Error('two databases are open');
  await createBusiness(first, onHome);
  await createBusiness(second, onSecond);
  await assignServerToNewBusiness(first, onSecond, 'second');
  expect(await check()).toEqual({ findings: [], error: undefined });
  await createBusiness(second, unlisted);
  await createBusiness(first, onBoth);
  await createBusiness(second, onBoth);
  await assignServerToNewBusiness(first, onBoth, 'second');
  await assignServerToNewBusiness(first, missing, 'second');
  await assignServerToNewBusiness(first, elsewhere, 'third');
  expect(await check()).toEqual({
    findings: [
      { businessId: onBoth, problem: 'is on home, but the directory names second' },
      { businessId: unlisted, problem: 'is on second, but the directory names home' },
      { businessId: missing, problem: 'is not on second, which the directory names' },
      { businessId: elsewhere, problem: 'is on third, which is not configured' },
    ],
    error: 'OperatorError: 4 businesses are not where the directory says.',
  });
  await Promise.all([first.close(), second.close()]);
});
