/** Prepared statements are named only if the server or pooler supports them, which the gateway detects. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openDb } from '../../src/db/open-db.ts';
import type { PreparedStatementMode } from '../../src/db/postgres/detect-prepared-statement-support.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { type Pgbouncer, pgbouncerVersion, startPgbouncer } from '../support/pgbouncer.ts';
import { type RenamingPooler, startRenamingPooler } from '../support/statement-renaming-pooler.ts';

let server: string;
let pgbouncer: Pgbouncer | undefined;
let renamingPooler: RenamingPooler;
const hasPgbouncer = pgbouncerVersion() !== undefined;

beforeAll(async () => {
  server = await testDatabaseUrl();
  renamingPooler = await startRenamingPooler(server);
  if (hasPgbouncer) pgbouncer = await startPgbouncer(server, 3);
});
afterAll(async () => {
  renamingPooler.stop();
  await pgbouncer?.stop();
});

/** Names of the prepared statements in one of several sessions. */
async function statementNames(
  url: string,
  directUrl: string | undefined,
  prepared?: PreparedStatementMode,
): Promise<string[]> {
  const db = await openDb({ url, directUrl, prepared, poolSize: 4 });
  const listStatements = () => db.sql<{ name: string }>('select name from pg_prepared_statements');
  await Promise.all(Array.from({ length: 20 }, listStatements));
  const rows = await listStatements();
  await db.close();
  return rows.map(({ name }) => name);
}

it('are named on a direct connection', async () => {
  expect(await statementNames(server, undefined)).toEqual([expect.stringMatching(/^duet_\d+$/)]);
});

it('are named behind a pooler that supports them under its own names', async () => {
  const names = await statementNames(renamingPooler.url, server);
  expect(names).toContainEqual(expect.stringMatching(/^POOLER_duet_\d+$/));
  expect(await statementNames(renamingPooler.url, server, 'off')).not.toContainEqual(
    expect.stringMatching(/duet_\d+$/),
  );
});

it.runIf(hasPgbouncer)(
  'are not named behind PgBouncer without support, and none remains in its sessions',
  async () => {
    expect(await statementNames(pgbouncer?.url ?? '', server)).toEqual([]);
  },
);

it('follow DATABASE_PREPARED', () => {
  const modeOf = (DATABASE_PREPARED?: string) =>
    readConfig(DATABASE_PREPARED === undefined ? {} : { DATABASE_PREPARED }).databasePrepared;
  expect([modeOf(), modeOf('auto'), modeOf('on'), modeOf('1'), modeOf('off')]).toEqual([
    'auto',
    'auto',
    'on',
    'on',
    'off',
  ]);
  expect(() => modeOf('maybe')).toThrow('DATABASE_PREPARED');
});
