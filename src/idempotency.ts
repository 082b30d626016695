/** Retries: a keyed request runs once, and its answer is written in the transaction that made it. */
import { createHash } from 'node:crypto';
import type { Context } from './context.ts';
import type { RetentionRule } from './db/delete-expired-rows.ts';
import type { Queries } from './db/handles.ts';
import { AppError } from './errors.ts';
import { canonicalJson } from './lib/json/canonical-json.ts';
import { now } from './lib/time.ts';

export const idempotencyKeySeconds = 24 * 3600;
const maxKeyLength = 255;

export const idempotencyRetentionRules: readonly RetentionRule[] = [
  { retentionKey: 'idempotencyKeys', table: 'idempotency_keys', expiredCondition: 'created_at < $1' },
];

/**
 * Runs `work`, or returns what it returned the first time this caller sent this key with this input.
 * A second request under the same key waits for the first one's transaction: the unique key decides, not memory.
 * `result` must be plain JSON, but for bigints. Without a key `work` runs by itself, and opens a transaction only if it needs one.
 */
export async function runIdempotent<Result>(
  ctx: Context,
  operation: string,
  input: unknown,
  work: (queries: Queries) => Promise<Result>,
): Promise<Result> {
  const outcome = await runIdempotentStoring(ctx, operation, input, work, (result) => result);
  return outcome.isNew ? outcome.result : outcome.kept;
}

/** What the work returned when it ran now; what was kept of it when it had run before. */
export type IdempotentOutcome<Result, Kept> = { isNew: true; result: Result } | { isNew: false; kept: Kept };

/** Like `once`, for work whose result is more than is worth keeping. What is kept must be plain JSON. */
export async function runIdempotentStoring<Result, Kept>(
  ctx: Context,
  operation: string,
  input: unknown,
  work: (queries: Queries) => Promise<Result>,
  keep: (result: Result) => Kept,
): Promise<IdempotentOutcome<Result, Kept>> {
  const key = ctx.request.idempotencyKey;
  if (key === undefined) {
    const isWhole = ctx.request.requiresTransaction === true;
    return { isNew: true, result: await (isWhole ? ctx.db.transaction(work) : work(ctx.db)) };
  }
  if (key.length === 0 || key.length > maxKeyLength) {
    throw new AppError('BAD_REQUEST', `Idempotency-Key must have 1 to ${maxKeyLength} characters.`);
  }
  const caller = callerOf(ctx);
  const fingerprint = createHash('sha256')
    .update(`${operation}\n${canonicalJson(input)}`)
    .digest('base64url');
  return ctx.db.transaction(async (tx) => {
    const claimed = await tx.sql(
      `insert into idempotency_keys as k (caller, key, fingerprint, created_at) values ($1, $2, $3, $4)
       on conflict (caller, key) do update set fingerprint = excluded.fingerprint, created_at = excluded.created_at, result = null
         where k.created_at < excluded.created_at - ${idempotencyKeySeconds}
       returning 1`,
      [caller, key, fingerprint, now()],
    );
    if (claimed.length === 0)
      return { isNew: false, kept: await firstAnswer<Kept>(tx, caller, key, fingerprint) };
    const result = await work(tx);
    await tx.sql('update idempotency_keys set result = $3::jsonb where caller = $1 and key = $2', [
      caller,
      key,
      JSON.stringify(keep(result), numbersForBigints),
    ]);
    return { isNew: true, result };
  });
}

/** Prisma reads 64-bit columns as bigints. Ours are all safe in a number, and whoever shows them takes either. */
const numbersForBigints = (_key: string, value: unknown) =>
  typeof value === 'bigint' ? Number(value) : value;

/**
 * Undoes the claim of this request's key, for work that was undone after it had been committed. `kept` says which work:
 * by now the key may stand for a newer request, and that claim stays.
 */
export async function releaseIdempotencyKey(ctx: Context, tx: Queries, kept: object): Promise<void> {
  const key = ctx.request.idempotencyKey;
  if (key === undefined) return;
  await tx.sql('delete from idempotency_keys where caller = $1 and key = $2 and result = $3::jsonb', [
    callerOf(ctx),
    key,
    JSON.stringify(kept),
  ]);
}

/** Nobody can ask again with the keys of an account that is gone. */
export async function deleteIdempotencyKeys(queries: Queries, userId: string): Promise<void> {
  await queries.sql('delete from idempotency_keys where caller = $1', [userId]);
}

/** Others may ask again about somebody: they get the answer they got, without what it said about the person. */
export async function erasePersonFromIdempotencyKeys(
  queries: Queries,
  { userId, contacts }: { userId: string; contacts: readonly string[] },
): Promise<void> {
  await deleteIdempotencyKeys(queries, userId);
  await queries.sql(
    `update idempotency_keys set result = (result || '{"blocks": []}') - 'shippingAddress' - 'billingAddress'
     where result ->> 'customerId' = $1 and result ? 'blocks'`,
    [userId],
  );
  await queries.sql(
    `update idempotency_keys set result = result || '{"email": "", "name": ""}' where lower(result ->> 'email') = any($1::text[])`,
    [contacts],
  );
}

const callerOf = (ctx: Context) => ctx.viewer.user?.userId ?? `address:${ctx.request.address}`;

async function firstAnswer<Result>(
  tx: Queries,
  caller: string,
  key: string,
  fingerprint: string,
): Promise<Result> {
  const [row] = await tx.sql<{ fingerprint: string; result: Result }>(
    'select fingerprint, result from idempotency_keys where caller = $1 and key = $2',
    [caller, key],
  );
  if (row?.fingerprint !== fingerprint) {
    throw new AppError('CONFLICT', 'This Idempotency-Key was used for another request.', {
      details: [
        {
          field: 'Idempotency-Key',
          error: 'IDEMPOTENCY_KEY_REUSED',
          message: 'Use a new key for a new request.',
        },
      ],
    });
  }
  return row.result;
}
