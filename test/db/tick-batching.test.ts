/** Batches of one tick: a query that the database rejects fails alone. */
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createBatcher } from '../../src/db/batching/tick-batching.ts';
import type { Db } from '../../src/db/handles.ts';
import { testDb } from '../support/database.ts';

let db: Db;

beforeAll(async () => {
  db = await testDb();
});

describe('a batch that the database rejects', () => {
  it('is run again query by query', async () => {
    const load = vi.fn(async (texts: readonly string[]) => {
      const rows = await db.shortRead<{ text: string }>('select * from unnest($1::text[]) as q(text)', [
        texts,
      ]);
      return rows.map(({ text }) => text);
    });
    const find = createBatcher({ batching: true }, load);
    const results = await Promise.allSettled(['a', 'nul \0', 'b'].map(find));
    expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'rejected'))).toEqual([
      'a',
      'rejected',
      'b',
    ]);
    expect(load).toHaveBeenCalledTimes(4);
  });

  it('is not run again after a timeout', async () => {
    const load = vi.fn(async () => {
      throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    });
    const find = createBatcher<string, string>({ batching: true }, load);
    const results = await Promise.allSettled(['a', 'b'].map(find));
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(load).toHaveBeenCalledTimes(1);
  });
});
