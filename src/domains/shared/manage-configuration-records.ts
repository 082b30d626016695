/** List, create, update, upsert and delete helpers for configuration records: markets, shipping methods, promo codes, roles and customer groups. */
import { assertBusinessExists } from '../../auth/assert-business-exists.ts';
import type { Context } from '../../context.ts';
import { classifyDbError, loadPrismaPage, type PrismaModel, type QueryHandle } from '../../db/index.ts';
import type { DetailCode } from '../../detail-codes.ts';
import { notFoundError, validationError } from '../../errors.ts';
import { runIdempotent } from '../../idempotency.ts';
import { isId, nilUuid } from '../../lib/ids.ts';
import { assertExpectedVersion } from '../../lib/optimistic-locking.ts';
import type { Page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import { createQuotaCheckedInsert } from './storage-and-record-quotas.ts';

/** Key of a configuration record. */
export interface ConfigurationRecordRef {
  businessId: string;
  id: string;
}

export interface ConfigurationListArgs {
  businessId: string;
  first?: number | undefined;
  after?: string | undefined;
  last?: number | undefined;
  before?: string | undefined;
}

/** Lists records by key in ascending order, unlike other lists, which return the newest first. */
export function listConfigurationRecords<T extends object>(
  ctx: Context,
  name: string,
  args: ConfigurationListArgs,
  key: keyof T & string,
  model: PrismaModel<T>,
): Promise<Page<T>> {
  return loadPrismaPage<T>(ctx, model, {
    list: `${name}:${args.businessId}`,
    args,
    where: { businessId: isId(args.businessId) ? args.businessId : nilUuid },
    key,
    order: 'asc',
    whenEmpty: () => assertBusinessExists(ctx, args.businessId),
  });
}

interface NewConfigurationRecord {
  /** Name and arguments of the mutation, which idempotency keys are bound to. */
  operation: string;
  businessId: string;
  input: object;
  table: string;
  /** Error of a unique violation. */
  onConflict(): Error;
}

/** Creates a record once per idempotency key, within the record quota of the business. */
export const createConfigurationRecord = <T>(
  ctx: Context,
  { operation, businessId, input, table, onConflict }: NewConfigurationRecord,
  insert: (queries: QueryHandle) => Promise<T>,
): Promise<T> =>
  rethrowUniqueViolationAs(onConflict, () =>
    runIdempotent(
      ctx,
      operation,
      { businessId, input },
      createQuotaCheckedInsert(ctx, table, businessId, insert),
    ),
  );

interface Stored {
  version: number;
}

/**
 * Updates a record with optimistic locking: the write applies only to the version that was read. With an expected version, a concurrent
 * change is an error; without one, the update is retried on the new version.
 */
export async function updateConfigurationRecord<T extends Stored>(
  { db }: Context,
  options: {
    recordName: string;
    expectedVersion: number | undefined;
    find(): Promise<T | null>;
    /** Returns the number of changed rows: 0 when another writer has changed the version. */
    change(current: T, stamp: { version: number; updatedAt: number }): Promise<{ count: number }>;
  },
): Promise<T> {
  for (;;) {
    const current = await options.find();
    if (!current) throw notFoundError(options.recordName);
    assertExpectedVersion(current.version, options.expectedVersion);
    const { count } = await options.change(current, {
      version: db.nextVersion(current.version),
      updatedAt: now(),
    });
    if (count > 0) return (await options.find()) ?? current;
  }
}

/**
 * For a record of a business that its first update creates: runs `tryUpdate`, which returns undefined when another writer has changed the
 * version, until no concurrent request conflicts with it.
 */
export async function upsertConfigurationRecord<T>(
  { db }: Context,
  tryUpdate: (tx: QueryHandle) => Promise<T | undefined>,
): Promise<T> {
  for (;;) {
    try {
      const updated = await db.transaction(tryUpdate);
      if (updated) return updated;
    } catch (error) {
      const conflict = classifyDbError(error)?.kind;
      if (conflict === 'foreignKey') throw notFoundError('Business');
      // A concurrent request has created the record.
      if (conflict !== 'unique') throw error;
    }
  }
}

export async function deleteConfigurationRecord<T extends Stored>(options: {
  recordName: string;
  id: string;
  expectedVersion: number | null | undefined;
  find(): Promise<T | null>;
  remove(current: T): Promise<{ count: number }>;
}): Promise<{ id: string }> {
  const current = await options.find();
  if (!current) throw notFoundError(options.recordName);
  assertExpectedVersion(current.version, options.expectedVersion);
  const { count } = await options.remove(current);
  if (count === 0) throw notFoundError(options.recordName);
  return { id: options.id };
}

export const alreadyTakenError = (field: string, error: DetailCode) =>
  validationError(field, error, `This ${field} is already taken.`);

/** Runs `change`; replaces a unique violation by the error of `onConflict`. */
export async function rethrowUniqueViolationAs<T>(
  onConflict: () => Error,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    throw classifyDbError(error)?.kind === 'unique' ? onConflict() : error;
  }
}
