/** Wait times for pool connections are reported for both handles. */
import { expect, it } from 'vitest';
import { onPostgres, testDb } from '../support/database.ts';

it.runIf(onPostgres)('reports the wait time of statements and transactions', async () => {
  const waits: number[] = [];
  const db = await testDb({ poolSize: 1, onWait: (seconds) => waits.push(seconds) });
  // Loads Prisma, which is created on its first query.
  await db.prisma.user.count();
  waits.length = 0;
  const slow = db.transaction((tx) => tx.sql('select pg_sleep(0.3)'));
  await Promise.all([
    slow,
    db.sql('select 1'),
    db.transaction((tx) => tx.sql('select 1')),
    db.prisma.user.count(),
  ]);
  expect(waits).toHaveLength(4);
  const [first = 0, ...others] = waits;
  expect(first).toBeLessThan(0.2);
  for (const waited of others) expect(waited).toBeGreaterThan(0.2);
});
