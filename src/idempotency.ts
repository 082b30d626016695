/** Idempotency keys: a keyed request runs once, and its result is stored in the transaction of its changes. */
import { hash } from 'node:crypto';
import type { Context } from './context.ts';
import type { RetentionRule } from './db/delete-expired-rows.ts';
import type { QueryHandle } from './db/handles.ts';
import { AppError } from './errors.ts';
import { isId } from './lib/ids.ts';
import { canonicalJson } from './lib/json/canonical-json.ts';
import { now } from './lib/time.ts';

const idempotencyKeyLifetimeSeconds = 24 * 3600;
const maxKeyLength = 255;

export const idempotencyRetentionRules: readonly RetentionRule[] = [
  { retentionKey: 'idempotencyKeys', table: 'idempotency_keys', expiredCondition: 'created_at < $1' },
];

/**
 * Runs `work`, or returns the stored result if this caller sent this key with this input before.
 * A concurrent request with the same key waits on the unique index until the transaction of the first one ends.
 * The result must be plain JSON, except for bigints. Without a key `work` runs outside of a transaction and opens one only if it needs it.
 */
export async function runIdempotent<Result>(
  ctx: Context,
  operation: string,
  input: unknown,
  work: (queries: QueryHandle) => Promise<Result>,
): Promise<Result> {
  const outcome = await runIdempotentStoringPart(ctx, operation, input, work, (result) => result);
  return outcome.isNew ? outcome.result : outcome.stored;
}

/** The result of `work` if it ran now, or the stored part of an earlier result. */
type IdempotentOutcome<Result, Stored> = { isNew: true; result: Result } | { isNew: false; stored: Stored };

/** Like `runIdempotent`, but stores only `toStored(result)`, which must be plain JSON. */
export async function runIdempotentStoringPart<Result, Stored>(
  ctx: Context,
  operation: string,
  input: unknown,
  work: (queries: QueryHandle) => Promise<Result>,
  toStored: (result: Result) => Stored,
): Promise<IdempotentOutcome<Result, Stored>> {
  const key = ctx.request.idempotencyKey;
  if (key === undefined) {
    const { requiresTransaction } = ctx.request;
    return { isNew: true, result: await (requiresTransaction ? ctx.db.transaction(work) : work(ctx.db)) };
  }
  const claim = buildIdempotencyClaim(ctx, key, operation, input);
  return ctx.db.transaction(async (tx) => {
    const { caller, fingerprint, created_at, business_id } = claim;
    const claimedRows = await tx.write(claimStatement, [caller, key, fingerprint, created_at, business_id]);
    if (claimedRows.length === 0) return { isNew: false, stored: await loadStoredResult<Stored>(tx, claim) };
    const result = await work(tx);
    await tx.write('update idempotency_keys set result = $3::jsonb where caller = $1 and key = $2', [
      caller,
      key,
      JSON.stringify(toStored(result), bigintToNumber),
    ]);
    return { isNew: true, result };
  });
}

/** Row of `idempotency_keys`. */
interface IdempotencyClaim {
  caller: string;
  key: string;
  fingerprint: string;
  created_at: number;
  /** Business that the arguments name: the key moves to another server with it. */
  business_id: string | null;
  /** Absent while the request runs. */
  result?: unknown;
}

function buildIdempotencyClaim(
  ctx: Context,
  key: string,
  operation: string,
  input: unknown,
): IdempotencyClaim {
  if (key.length === 0 || key.length > maxKeyLength) {
    throw new AppError('BAD_REQUEST', `Idempotency-Key must have 1 to ${maxKeyLength} characters.`);
  }
  const fingerprint = hash('sha256', `${operation}\n${canonicalJson(input)}`, 'base64url');
  return { caller: callerOf(ctx), key, fingerprint, created_at: now(), business_id: businessOf(input) };
}

function businessOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('businessId' in input)) return null;
  const { businessId } = input;
  return typeof businessId === 'string' && isId(businessId) ? businessId : null;
}

/** Claim of the request's key with its result, for `buildClaimIdempotencyKeySql`. Empty without a key. */
export function buildIdempotencyClaims(
  ctx: Context,
  operation: string,
  input: unknown,
  result: object,
): IdempotencyClaim[] {
  const key = ctx.request.idempotencyKey;
  return key === undefined ? [] : [{ result, ...buildIdempotencyClaim(ctx, key, operation, input) }];
}

const onConflictSql = `on conflict (caller, key) do update
    set fingerprint = excluded.fingerprint, created_at = excluded.created_at, result = excluded.result,
      business_id = excluded.business_id
    where k.created_at < excluded.created_at - ${idempotencyKeyLifetimeSeconds}
  returning 1`;

const claimStatement = `insert into idempotency_keys as k (caller, key, fingerprint, created_at, business_id) values ($1, $2, $3, $4, $5) ${onConflictSql}`;

/** Inserts the claim in a JSON list; returns no row for a key that is in use. Waits for a concurrent request with the same key. */
export const buildClaimIdempotencyKeySql = (
  claims: string,
) => `insert into idempotency_keys as k (caller, key, fingerprint, created_at, business_id, result)
  select c.caller, c.key, c.fingerprint, c.created_at, c.business_id, c.result from jsonb_populate_recordset(null::idempotency_keys, ${claims}::jsonb) c
  ${onConflictSql}`;

/** Prisma reads 64-bit columns as bigints. All stored values are safe integers, and the scalars accept both. */
const bigintToNumber = (_key: string, value: unknown) => (typeof value === 'bigint' ? Number(value) : value);

/**
 * Deletes the key of this request after its committed work was undone. Matches the stored result as well: a newer request
 * that has claimed the same key in the meantime keeps its claim.
 */
export async function releaseIdempotencyKey(ctx: Context, tx: QueryHandle, stored: object): Promise<void> {
  const key = ctx.request.idempotencyKey;
  if (key === undefined) return;
  await tx.write('delete from idempotency_keys where caller = $1 and key = $2 and result = $3::jsonb', [
    callerOf(ctx),
    key,
    JSON.stringify(stored),
  ]);
}

/** Keys of a deleted account can no longer be sent by anyone. */
export async function deleteIdempotencyKeysOfUser(queries: QueryHandle, userId: string): Promise<void> {
  await queries.write('delete from idempotency_keys where caller = $1', [userId]);
}

/** Removes the personal data of a user from results stored for other callers, whose retries still get the rest. */
export async function erasePersonFromIdempotencyKeys(
  queries: QueryHandle,
  { userId, contacts }: { userId: string; contacts: readonly string[] },
): Promise<void> {
  await deleteIdempotencyKeysOfUser(queries, userId);
  await queries.write(
    `update idempotency_keys set result = (result || '{"blocks": []}') - '{shippingAddress,billingAddress,contactEmail,contactPhone}'::text[]
     where result ->> 'customerId' = $1 and result ? 'blocks'`,
    [userId],
  );
  await queries.write(
    `update idempotency_keys set result = result || '{"email": "", "name": ""}' where lower(result ->> 'email') = any($1::text[])`,
    [contacts],
  );
}

const callerOf = (ctx: Context) => ctx.viewer.user?.userId ?? `address:${ctx.request.address}`;

async function loadStoredResult<Result>(
  tx: QueryHandle,
  { caller, key, fingerprint }: IdempotencyClaim,
): Promise<Result> {
  const [row] = await tx.sql<{ fingerprint: string; result: Result }>(
    'select fingerprint, result from idempotency_keys where caller = $1 and key = $2',
    [caller, key],
  );
  if (row?.fingerprint !== fingerprint) {
    throw new AppError('CONFLICT', 'This Idempotency-Key was used for a different request.', {
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
