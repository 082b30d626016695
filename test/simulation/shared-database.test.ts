/** The ground that worlds share: whoever comes next finds it as the first one did. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SharedDatabase, openSharedDatabase } from './shared-database.ts';
import { generateSteps } from './generate-steps.ts';
import { walk } from './walk.ts';

let ground: SharedDatabase;
beforeAll(async () => {
  ground = await openSharedDatabase();
});
afterAll(() => ground.remove());

/** All rows of all tables, and where the sequences are. */
async function contents(): Promise<Record<string, unknown>> {
  const { db } = ground;
  const names = await db.sql<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname not in ('information_schema', 'pg_toast', 'pg_catalog')`,
  );
  const found: Record<string, unknown> = {
    sequences: await db.sql('select sequencename, last_value from pg_sequences order by 1'),
  };
  for (const { name } of names) {
    const [row] = await db.sql<{ rows: unknown[] }>(
      `select coalesce(json_agg(t), '[]') as rows from ${name} t`,
    );
    found[name] = row?.rows;
  }
  return found;
}

it('is as it was after a walk, for the same walk again', async () => {
  const before = await contents();
  for (const seed of [5, 5]) {
    const tally = new Map<string, number>();
    expect(await walk(generateSteps(seed, 20), { database: ground, tally })).toBeUndefined();
    expect(tally.get('CreateProduct 200')).toBeGreaterThan(0);
    expect(await contents()).toEqual(before);
  }
  expect(Object.keys(before).length).toBeGreaterThan(50);
  expect(ground.db.recordCache.stats.entries).toBe(0);
});
