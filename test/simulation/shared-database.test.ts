/** The shared database of walks is restored to its initial contents after each walk. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDb } from '../../src/db/open-db.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { generateSteps } from './generate-steps.ts';
import { openSharedDatabase, type SharedDatabase } from './shared-database.ts';
import { walk } from './walk.ts';

let database: SharedDatabase;
beforeAll(async () => {
  const db = await openDb({ url: await testDatabaseUrl() });
  database = await openSharedDatabase({ db, remove: () => db.close() });
});
afterAll(() => database.remove());

/** All rows of all tables, and the values of the sequences. */
async function readContents(): Promise<Record<string, unknown>> {
  const { db } = database;
  const names = await db.sql<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('information_schema', 'pg_toast', 'pg_catalog')`,
  );
  const readContents: Record<string, unknown> = {
    sequences: await db.sql('select sequencename, last_value from pg_sequences order by 1'),
  };
  for (const { name } of names) {
    const [row] = await db.sql<{ rows: unknown[] }>(
      `select coalesce(json_agg(t), '[]') as rows from ${name} t`,
    );
    readContents[name] = row?.rows;
  }
  return readContents;
}

it('restores its contents after a walk, so that the same walk can run again', async () => {
  const before = await readContents();
  for (const seed of [5, 5]) {
    const tally = new Map<string, number>();
    expect(await walk(generateSteps(seed, 20), { database, tally })).toBeUndefined();
    expect(tally.get('CreateProduct 200')).toBeGreaterThan(0);
    expect(await readContents()).toEqual(before);
  }
  expect(Object.keys(before).length).toBeGreaterThan(50);
  expect(database.db.recordCache.stats.entries).toBe(0);
});
