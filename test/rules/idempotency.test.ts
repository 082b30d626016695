/** A keyed request runs once: what is claimed, kept, answered again and refused. */
import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import {
  deleteIdempotencyKeys,
  erasePersonFromIdempotencyKeys,
  idempotencyRetentionRules,
  releaseIdempotencyKey,
  runIdempotent,
  runIdempotentStoring,
} from '../../src/idempotency.ts';

interface Kept {
  fingerprint: string;
  created: number;
  result: unknown;
}

const day = 24 * 3600;

/** A table of keys that understands the statements it is sent, and no others. */
function keysInMemory() {
  const rows = new Map<string, Kept>();
  const said: string[] = [];
  const at = ([caller, key]: unknown[]) => `${caller} ${key}`;
  const sql = async (statement: string, values: unknown[]): Promise<unknown[]> => {
    const text = statement.replace(/\s+/g, ' ');
    said.push(text);
    const row = rows.get(at(values));
    if (text.startsWith('insert into idempotency_keys')) {
      const [fingerprint, created] = values.slice(2) as [string, number];
      if (row && row.created >= created - Number(/created_at - (\d+)/.exec(text)?.[1])) return [];
      rows.set(at(values), { fingerprint, created, result: null });
      return [1];
    }
    if (text.startsWith('update idempotency_keys set result = $3::jsonb')) {
      if (row) row.result = JSON.parse(String(values[2]));
      return [];
    }
    if (text.startsWith('select fingerprint, result from idempotency_keys')) return row ? [row] : [];
    if (text.startsWith('delete from idempotency_keys where caller = $1 and key = $2 and result = $3')) {
      if (JSON.stringify(row?.result) === values[2]) rows.delete(at(values));
      return [];
    }
    said.push(JSON.stringify(values));
    return [];
  };
  let transactions = 0;
  const db = {
    sql,
    transaction: async (work: (tx: unknown) => unknown) => {
      transactions += 1;
      return work({ sql, isTransaction: true });
    },
  };
  const ctx = (idempotencyKey: string | undefined, userId?: string, inOneTransaction?: boolean) =>
    ({
      db,
      viewer: { user: userId && { userId } },
      request: { idempotencyKey, address: '10.0.0.1', inOneTransaction },
    }) as unknown as Context;
  return { rows, said, ctx, transactions: () => transactions };
}

describe('a request', () => {
  it('without a key runs each time, and in a transaction only where it asks for one', async () => {
    const keys = keysInMemory();
    let runs = 0;
    const work = async () => ++runs;
    expect([
      await runIdempotent(keys.ctx(undefined), 'op', {}, work),
      await runIdempotent(keys.ctx(undefined), 'op', {}, work),
    ]).toEqual([1, 2]);
    expect([keys.transactions(), keys.said]).toEqual([0, []]);
    expect(await runIdempotent(keys.ctx(undefined, 'ada', true), 'op', {}, work)).toBe(3);
    expect(keys.transactions()).toBe(1);
  });

  it('with a key runs once for each caller', async () => {
    const keys = keysInMemory();
    let runs = 0;
    const work = async () => ({ runs: ++runs, large: BigInt(runs) });
    const ask = (userId?: string) => runIdempotent(keys.ctx('key', userId), 'op', { a: 1, b: 2 }, work);
    expect(await ask('ada')).toEqual({ runs: 1, large: 1n });
    expect(await runIdempotent(keys.ctx('key', 'ada'), 'op', { b: 2, a: 1 }, work)).toEqual({
      runs: 1,
      large: 1,
    });
    expect((await ask('bob')).runs).toBe(2);
    expect((await ask()).runs).toBe(3);
    expect([...keys.rows.keys()]).toEqual(['ada key', 'bob key', 'address:10.0.0.1 key']);
  });

  it('keeps a part of what it returned, and says which it is', async () => {
    const keys = keysInMemory();
    const ask = () =>
      runIdempotentStoring(
        keys.ctx('key', 'ada'),
        'op',
        {},
        async () => ({ id: 1, more: 'x' }),
        ({ id }) => ({ id }),
      );
    expect(await ask()).toEqual({ isNew: true, result: { id: 1, more: 'x' } });
    expect(await ask()).toEqual({ isNew: false, kept: { id: 1 } });
    const plain = keys.ctx(undefined, 'ada');
    expect(
      await runIdempotentStoring(
        plain,
        'op',
        {},
        async () => 5,
        () => 6,
      ),
    ).toEqual({ isNew: true, result: 5 });
  });

  it('under a key of another operation or input is refused', async () => {
    const keys = keysInMemory();
    const work = async () => 1;
    await runIdempotent(keys.ctx('key', 'ada'), 'op', { a: 1 }, work);
    for (const [operation, input] of [
      ['other', { a: 1 }],
      ['op', { a: 2 }],
    ] as const)
      await expect(runIdempotent(keys.ctx('key', 'ada'), operation, input, work)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'This Idempotency-Key was used for another request.',
        details: [
          {
            field: 'Idempotency-Key',
            error: 'IDEMPOTENCY_KEY_REUSED',
            message: 'Use a new key for a new request.',
          },
        ],
      });
  });

  it('runs again under a key that is older than a day', async () => {
    const keys = keysInMemory();
    let runs = 0;
    const ask = () => runIdempotent(keys.ctx('key', 'ada'), 'op', {}, async () => ++runs);
    await ask();
    const row = keys.rows.get('ada key') ?? expect.unreachable();
    row.created -= day - 5;
    expect(await ask()).toBe(1);
    row.created -= 10;
    expect(await ask()).toBe(2);
    expect(keys.rows.get('ada key')?.created).toBeGreaterThan(row.created);
  });

  it.each([
    ['', false],
    ['k', true],
    ['k'.repeat(255), true],
    ['k'.repeat(256), false],
  ])('with the key %s is taken: %s', async (key, isTaken) => {
    const asked = runIdempotent(keysInMemory().ctx(key, 'ada'), 'op', {}, async () => 'done');
    if (isTaken) expect(await asked).toBe('done');
    else
      await expect(asked).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: 'Idempotency-Key must have 1 to 255 characters.',
      });
  });
});

describe('what is forgotten', () => {
  it('is the claim of work that was undone, and of no newer one', async () => {
    const keys = keysInMemory();
    const ctx = keys.ctx('key', 'ada');
    await runIdempotent(ctx, 'op', {}, async () => ({ id: 1 }));
    await releaseIdempotencyKey(ctx, ctx.db, { id: 2 });
    expect(keys.rows.size).toBe(1);
    await releaseIdempotencyKey(keys.ctx(undefined, 'ada'), ctx.db, { id: 1 });
    expect(keys.rows.size).toBe(1);
    await releaseIdempotencyKey(ctx, ctx.db, { id: 1 });
    expect(keys.rows.size).toBe(0);
  });

  it('is a person', async () => {
    const keys = keysInMemory();
    const { db } = keys.ctx(undefined);
    await deleteIdempotencyKeys(db, 'ada');
    expect(keys.said.splice(0)).toEqual(['delete from idempotency_keys where caller = $1', '["ada"]']);
    await erasePersonFromIdempotencyKeys(db, { userId: 'ada', contacts: ['ada@example.com'] });
    expect(keys.said).toEqual([
      'delete from idempotency_keys where caller = $1',
      '["ada"]',
      `update idempotency_keys set result = (result || '{"blocks": []}') - 'shippingAddress' - 'billingAddress' where result ->> 'customerId' = $1 and result ? 'blocks'`,
      '["ada"]',
      `update idempotency_keys set result = result || '{"email": "", "name": ""}' where lower(result ->> 'email') = any($1::text[])`,
      '[["ada@example.com"]]',
    ]);
  });

  it('is what is old', () => {
    expect(idempotencyRetentionRules).toEqual([
      { kept: 'idempotencyKeys', table: 'idempotency_keys', old: 'created_at < $1' },
    ]);
  });
});
