/** Idempotency keys: a request with a key runs once; repeated requests get the stored result, conflicting ones are rejected. */
import { describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import {
  deleteIdempotencyKeysOfUser,
  erasePersonFromIdempotencyKeys,
  idempotencyRetentionRules,
  releaseIdempotencyKey,
  runIdempotent,
  runIdempotentStoringPart,
} from '../../src/idempotency.ts';

interface StoredKey {
  fingerprint: string;
  created: number;
  result: unknown;
}

const day = 24 * 3600;

/** In-memory fake of the idempotency_keys table; supports exactly the statements of src/idempotency.ts. */
function keysInMemory() {
  const rows = new Map<string, StoredKey>();
  const statements: string[] = [];
  const at = ([caller, key]: unknown[]) => `${caller} ${key}`;
  const sql = async (statement: string, values: unknown[]): Promise<unknown[]> => {
    const text = statement.replace(/\s+/g, ' ');
    statements.push(text);
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
    statements.push(JSON.stringify(values));
    return [];
  };
  let transactions = 0;
  const db = {
    sql,
    write: sql,
    transaction: async (work: (tx: unknown) => unknown) => {
      transactions += 1;
      return work({ sql, write: sql, isTransaction: true });
    },
  };
  const ctx = (idempotencyKey: string | undefined, userId?: string, requiresTransaction?: boolean) =>
    ({
      db,
      viewer: { user: userId && { userId } },
      request: { idempotencyKey, address: '10.0.0.1', requiresTransaction },
    }) as unknown as Context;
  return { rows, statements, ctx, transactions: () => transactions };
}

describe('a request', () => {
  it('without a key runs every time, in a transaction only if required', async () => {
    const keys = keysInMemory();
    let runs = 0;
    const work = async () => ++runs;
    expect([
      await runIdempotent(keys.ctx(undefined), 'op', {}, work),
      await runIdempotent(keys.ctx(undefined), 'op', {}, work),
    ]).toEqual([1, 2]);
    expect([keys.transactions(), keys.statements]).toEqual([0, []]);
    expect(await runIdempotent(keys.ctx(undefined, 'ada', true), 'op', {}, work)).toBe(3);
    expect(keys.transactions()).toBe(1);
  });

  it('with a key runs once per caller', async () => {
    const keys = keysInMemory();
    let runs = 0;
    const work = async () => ({ runs: ++runs, large: BigInt(runs) });
    const request = (userId?: string) => runIdempotent(keys.ctx('key', userId), 'op', { a: 1, b: 2 }, work);
    expect(await request('ada')).toEqual({ runs: 1, large: 1n });
    expect(await runIdempotent(keys.ctx('key', 'ada'), 'op', { b: 2, a: 1 }, work)).toEqual({
      runs: 1,
      large: 1,
    });
    expect((await request('bob')).runs).toBe(2);
    expect((await request()).runs).toBe(3);
    expect([...keys.rows.keys()]).toEqual(['ada key', 'bob key', 'address:10.0.0.1 key']);
  });

  it('stores part of its result, and tells a new result from a stored one', async () => {
    const keys = keysInMemory();
    const request = () =>
      runIdempotentStoringPart(
        keys.ctx('key', 'ada'),
        'op',
        {},
        async () => ({ id: 1, more: 'x' }),
        ({ id }) => ({ id }),
      );
    expect(await request()).toEqual({ isNew: true, result: { id: 1, more: 'x' } });
    expect(await request()).toEqual({ isNew: false, stored: { id: 1 } });
    const plain = keys.ctx(undefined, 'ada');
    expect(
      await runIdempotentStoringPart(
        plain,
        'op',
        {},
        async () => 5,
        () => 6,
      ),
    ).toEqual({ isNew: true, result: 5 });
  });

  it('with the key of another operation or input is rejected', async () => {
    const keys = keysInMemory();
    const work = async () => 1;
    await runIdempotent(keys.ctx('key', 'ada'), 'op', { a: 1 }, work);
    for (const [operation, input] of [
      ['other', { a: 1 }],
      ['op', { a: 2 }],
    ] as const)
      await expect(runIdempotent(keys.ctx('key', 'ada'), operation, input, work)).rejects.toMatchObject({
        code: 'CONFLICT',
        message: 'This Idempotency-Key was used for a different request.',
        details: [
          {
            field: 'Idempotency-Key',
            error: 'IDEMPOTENCY_KEY_REUSED',
            message: 'Use a new key for a new request.',
          },
        ],
      });
  });

  it('runs again when the key is older than 24 hours', async () => {
    const keys = keysInMemory();
    let runs = 0;
    const request = () => runIdempotent(keys.ctx('key', 'ada'), 'op', {}, async () => ++runs);
    await request();
    const row = keys.rows.get('ada key') ?? expect.unreachable();
    row.created -= day - 5;
    expect(await request()).toBe(1);
    row.created -= 10;
    expect(await request()).toBe(2);
    expect(keys.rows.get('ada key')?.created).toBeGreaterThan(row.created);
  });

  it.each([
    ['', false],
    ['k', true],
    ['k'.repeat(255), true],
    ['k'.repeat(256), false],
  ])('with the key %s is accepted: %s', async (key, isAccepted) => {
    const result = runIdempotent(keysInMemory().ctx(key, 'ada'), 'op', {}, async () => 'done');
    if (isAccepted) expect(await result).toBe('done');
    else
      await expect(result).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        message: 'Idempotency-Key must have 1 to 255 characters.',
      });
  });
});

describe('deletion of keys', () => {
  it('releases the key of rolled-back work, but not of a newer request', async () => {
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

  it('erases a user', async () => {
    const keys = keysInMemory();
    const { db } = keys.ctx(undefined);
    await deleteIdempotencyKeysOfUser(db, 'ada');
    expect(keys.statements.splice(0)).toEqual(['delete from idempotency_keys where caller = $1', '["ada"]']);
    await erasePersonFromIdempotencyKeys(db, { userId: 'ada', contacts: ['ada@example.com'] });
    expect(keys.statements).toEqual([
      'delete from idempotency_keys where caller = $1',
      '["ada"]',
      `update idempotency_keys set result = (result || '{"blocks": []}') - '{shippingAddress,billingAddress,contactEmail,contactPhone}'::text[] where result ->> 'customerId' = $1 and result ? 'blocks'`,
      '["ada"]',
      `update idempotency_keys set result = result || '{"email": "", "name": ""}' where lower(result ->> 'email') = any($1::text[])`,
      '[["ada@example.com"]]',
    ]);
  });

  it('has a retention rule for old keys', () => {
    expect(idempotencyRetentionRules).toEqual([
      { retentionKey: 'idempotencyKeys', table: 'idempotency_keys', expiredCondition: 'created_at < $1' },
    ]);
  });
});
