/** Finds, lists and cancels bulk operations, and lists their line errors. */
import type { Context, Services } from '../../../context.ts';
import { loadPrismaPage, type QueryHandle } from '../../../db/index.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { findServicesOfRecord } from '../../../find-on-servers.ts';
import type { BulkError, BulkOperation as StoredOperation } from '../../../generated/prisma/client.ts';
import { isId } from '../../../lib/ids.ts';
import type { Page } from '../../../lib/paging.ts';
import { now } from '../../../lib/time.ts';
import { toBulkOperation } from '../files/signed-links.ts';
import {
  activeBulkStates,
  type BulkLineError,
  type BulkOperation,
  type StoredBulkOperation,
  toStoredBulkOperation,
} from '../model.ts';
import type { BulkOperationRef, ListBulkErrorsArgs, ListBulkOperationsArgs } from '../schemas.ts';
import { isBulkAllowed, listAllowedBulkKindsAndResources } from './bulk-permission-checks.ts';

const recordName = 'Bulk operation';

/** Undefined also when the viewer lacks the permission to start the operation: its existence is not revealed. */
async function findAllowed(
  ctx: Context,
  { businessId, id }: BulkOperationRef,
): Promise<StoredBulkOperation | undefined> {
  const operation = await findStoredBulkOperation(ctx.db, id);
  if (operation?.businessId !== businessId || !(await isBulkAllowed(ctx.viewer, operation))) return undefined;
  return operation;
}

export async function findBulkOperation(
  ctx: Context,
  key: BulkOperationRef,
): Promise<BulkOperation | undefined> {
  const operation = await findAllowed(ctx, key);
  return operation && toBulkOperation(ctx, operation);
}

/** Operations among `ids` that the viewer has the permission to start, in any business, by id. */
export async function loadBulkOperationsByIdInAnyBusiness(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, BulkOperation>> {
  const operations = new Map<string, BulkOperation>();
  for (const row of await ctx.db.prisma.bulkOperation.findMany({ where: { id: { in: [...ids] } } })) {
    const stored = toStoredBulkOperation(row);
    if (await isBulkAllowed(ctx.viewer, stored)) operations.set(stored.id, toBulkOperation(ctx, stored));
  }
  return operations;
}

export async function listBulkOperations(
  ctx: Context,
  args: ListBulkOperationsArgs,
): Promise<Page<BulkOperation>> {
  const { businessId, kind, state } = args;
  const allowedKinds = await listAllowedBulkKindsAndResources(ctx.viewer, businessId);
  const where = {
    businessId,
    OR: allowedKinds,
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { state }),
  };
  return loadPrismaPage<StoredOperation, BulkOperation>(ctx, ctx.db.prisma.bulkOperation, {
    list: `bulk:${businessId}:${kind ?? ''}:${state ?? ''}`,
    args,
    where,
    toNode: (row) => toBulkOperation(ctx, toStoredBulkOperation(row)),
  });
}

/** Line errors in line order. */
export async function listBulkErrors(ctx: Context, args: ListBulkErrorsArgs): Promise<Page<BulkLineError>> {
  const operation = await findAllowed(ctx, args);
  if (!operation) throw notFoundError(recordName);
  return loadPrismaPage<BulkError, BulkLineError>(ctx, ctx.db.prisma.bulkError, {
    list: `bulk-errors:${operation.id}`,
    args,
    where: { operationId: operation.id },
    order: 'asc',
    // Safe cast: only this domain writes the table.
    toNode: (row) => row as unknown as BulkLineError,
  });
}

/** Records that are already imported stay. Idempotent: cancelling again returns the same operation. */
export async function cancelBulkOperation(ctx: Context, key: BulkOperationRef): Promise<BulkOperation> {
  const operation = isId(key.id) ? await findAllowed(ctx, key) : undefined;
  if (!operation) throw notFoundError(recordName);
  const time = now();
  await ctx.db.prisma.bulkOperation.updateMany({
    where: { id: operation.id, state: { in: ['UPLOADING', ...activeBulkStates] } },
    data: { state: 'CANCELLED', updatedAt: time, finishedAt: time },
  });
  const current = await findStoredBulkOperation(ctx.db, operation.id);
  if (!current) throw notFoundError(recordName);
  if (current.state !== 'CANCELLED')
    throw validationError(
      'state',
      'INVALID_TRANSITION',
      `The operation cannot be cancelled: its state is ${current.state}.`,
    );
  return toBulkOperation(ctx, current);
}

/** Services of the server that has the operation: the URLs of its files do not name the business. */
export const findServicesOfBulkOperation = (services: Services, id: string): Promise<Services> =>
  findServicesOfRecord(services, async (db) => (await findStoredBulkOperation(db, id)) !== undefined);

/** Loads an operation without permission checks. */
export async function findStoredBulkOperation(
  { prisma }: QueryHandle,
  id: string,
): Promise<StoredBulkOperation | undefined> {
  const row = isId(id) ? await prisma.bulkOperation.findUnique({ where: { id } }) : null;
  return row ? toStoredBulkOperation(row) : undefined;
}
