/** Who waits for a connection of the pool is told for how long, by whichever handle they came. */
import { expect, it } from 'vitest';
import { onPostgres, testDb } from '../support/database.ts';

it.runIf(onPostgres)('tells how long statements and transactions waited', async () => {
  const waits: number[] = [];
  const db = await testDb({ poolSize: 1, onWait: (seconds) => waits.push(seconds) });
  // Prisma is loaded when it is first needed.
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
