/** Statements are named where names are kept: the gateway finds out by itself. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open.ts';
import type { PreparedStatementMode } from '../../src/db/postgres/prepared-support.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { type Pgbouncer, pgbouncerVersion, startPgbouncer } from '../support/pgbouncer.ts';
import { type RenamingPooler, startRenamingPooler } from '../support/statement-renaming-pooler.ts';

let server: string;
let plain: Pgbouncer | undefined;
let keeping: RenamingPooler;
const hasPgbouncer = pgbouncerVersion() !== undefined;

beforeAll(async () => {
  server = await testDatabaseUrl();
  keeping = await startRenamingPooler(server);
  if (hasPgbouncer) plain = await startPgbouncer(server, 3);
});
afterAll(async () => {
  keeping.stop();
  await plain?.stop();
});

/** The names of prepared statements that the last of several sessions has, own and others. */
async function names(
  url: string,
  directUrl: string | undefined,
  prepared?: PreparedStatementMode,
): Promise<string[]> {
  const db = await openDb({ url, directUrl, prepared, poolSize: 4 });
  const ask = () => db.sql<{ name: string }>('select name from pg_prepared_statements');
  await Promise.all(Array.from({ length: 20 }, ask));
  const rows = await ask();
  await db.close();
  return rows.map(({ name }) => name);
}

it('always on a server', async () => {
  expect(await names(server, undefined)).toEqual([expect.stringMatching(/^duet_\d+$/)]);
});

it('with a pooler that gives them names of its own', async () => {
  const own = await names(keeping.url, server);
  expect(own).toContainEqual(expect.stringMatching(/^POOLER_duet_\d+$/));
  expect(await names(keeping.url, server, 'off')).not.toContainEqual(expect.stringMatching(/duet_\d+$/));
});

it.runIf(hasPgbouncer)('never with one that passes them on, where nothing is left behind', async () => {
  expect(await names(plain?.url ?? '', server)).toEqual([]);
});

it('or as the operator says', () => {
  const said = (DATABASE_PREPARED?: string) =>
    readConfig(DATABASE_PREPARED === undefined ? {} : { DATABASE_PREPARED }).databasePrepared;
  expect([said(), said('auto'), said('on'), said('1'), said('off')]).toEqual([
    'auto',
    'auto',
    'on',
    'on',
    'off',
  ]);
  expect(() => said('maybe')).toThrow('DATABASE_PREPARED');
});
