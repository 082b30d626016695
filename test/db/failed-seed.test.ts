/** Seeding that fails returns only when none of its statements runs any more: the caller closes the database next. */
import { expect, it } from 'vitest';
import { seedDemo } from '../../src/seed/demo.ts';
import { testDb } from '../support/database.ts';
import { lockTables } from '../support/locked-tables.ts';

it('waits for its statements when the demo files cannot be stored', async () => {
  const db = await testDb();
  const { release } = await lockTables(db, 'signing_keys');
  const error = new Error('The disk is read-only.');
  let failure: unknown;
  const seeding = seedDemo(db, undefined, () => Promise.reject(error)).catch((reason: unknown) => {
    failure = reason;
  });
  const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await expect.poll(() => db.sql(blocked, [])).toHaveLength(1);
  const failureBefore = failure;
  await release();
  await seeding;
  expect(failureBefore).toBeUndefined();
  expect(failure).toBe(error);
});
