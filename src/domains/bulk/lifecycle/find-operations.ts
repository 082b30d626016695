/** Finds, lists and cancels the operations of a business, and lists what was wrong with their lines. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import { keysetRange, loadPage, type Page } from '../../../lib/paging.ts';
import { now } from '../../../lib/time.ts';
import { toBulkOperation } from '../files/signed-links.ts';
import {
  activeBulkStates,
  type BulkLineError,
  type BulkOperation,
  type StoredBulkOperation,
  toStoredBulkOperation,
} from '../model.ts';
import type { BulkOperationKey, ListBulkErrorsArgs, ListBulkOperationsArgs } from '../schemas.ts';
import { isBulkAllowed, listAllowedBulkKinds } from './permissions.ts';

const what = 'Bulk operation';

/** What somebody may not do, they need not know of either. */
async function findAllowed(
  ctx: Context,
  { businessId, id }: BulkOperationKey,
): Promise<StoredBulkOperation | undefined> {
  const found = await findStoredBulkOperation(ctx.db, id);
  if (found?.businessId !== businessId || !(await isBulkAllowed(ctx.viewer, found))) return undefined;
  return found;
}

export async function findBulkOperation(
  ctx: Context,
  at: BulkOperationKey,
): Promise<BulkOperation | undefined> {
  const found = await findAllowed(ctx, at);
  return found && toBulkOperation(ctx, found);
}

/** The operations among `ids` that the viewer could have begun, by id, of whatever business. */
export async function loadBulkOperationsAnywhere(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, BulkOperation>> {
  const found = new Map<string, BulkOperation>();
  for (const row of await ctx.db.prisma.bulkOperation.findMany({ where: { id: { in: [...ids] } } })) {
    const stored = toStoredBulkOperation(row);
    if (await isBulkAllowed(ctx.viewer, stored)) found.set(stored.id, toBulkOperation(ctx, stored));
  }
  return found;
}

export async function listBulkOperations(
  ctx: Context,
  args: ListBulkOperationsArgs,
): Promise<Page<BulkOperation>> {
  const { bulkOperation } = ctx.db.prisma;
  const { businessId, kind, state } = args;
  const allowed = await listAllowedBulkKinds(ctx.viewer, businessId);
  const where = {
    businessId,
    OR: allowed,
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { state }),
  };
  return loadPage<BulkOperation>({
    secret: ctx.keys.secret,
    list: `bulk:${businessId}:${kind ?? ''}:${state ?? ''}`,
    args,
    keyOf: ({ id }) => id,
    async fetch(slice, take) {
      const { range, direction } = keysetRange(slice, 'desc');
      const found = await bulkOperation.findMany({
        where: { ...where, id: range },
        orderBy: { id: direction },
        take,
      });
      return found.map((row) => toBulkOperation(ctx, toStoredBulkOperation(row)));
    },
    count: () => bulkOperation.count({ where }),
  });
}

/** In the order of their lines. */
export async function listBulkErrors(ctx: Context, args: ListBulkErrorsArgs): Promise<Page<BulkLineError>> {
  const operation = await findAllowed(ctx, args);
  if (!operation) throw notFoundError(what);
  const { bulkError } = ctx.db.prisma;
  const where = { operationId: operation.id };
  return loadPage<BulkLineError>({
    secret: ctx.keys.secret,
    list: `bulk-errors:${operation.id}`,
    args,
    keyOf: ({ id }) => id,
    async fetch(slice, take) {
      const { range, direction } = keysetRange(slice, 'asc');
      const found = await bulkError.findMany({
        where: { ...where, id: range },
        orderBy: { id: direction },
        take,
      });
      // What only this domain writes is what it says.
      return found as unknown as BulkLineError[];
    },
    count: () => bulkError.count({ where }),
  });
}

/** Lines that are imported stay so. Again: the same answer. */
export async function cancelBulkOperation(ctx: Context, at: BulkOperationKey): Promise<BulkOperation> {
  const operation = isId(at.id) ? await findAllowed(ctx, at) : undefined;
  if (!operation) throw notFoundError(what);
  const time = now();
  await ctx.db.prisma.bulkOperation.updateMany({
    where: { id: operation.id, state: { in: ['UPLOADING', ...activeBulkStates] } },
    data: { state: 'CANCELLED', updatedAt: time, finishedAt: time },
  });
  const after = await findStoredBulkOperation(ctx.db, operation.id);
  if (!after) throw notFoundError(what);
  if (after.state !== 'CANCELLED')
    throw validationError({
      field: 'state',
      error: 'INVALID_TRANSITION',
      message: `It is ${after.state} already.`,
    });
  return toBulkOperation(ctx, after);
}

/** Operations in the database. */

export async function findStoredBulkOperation(
  { prisma }: Queries,
  id: string,
): Promise<StoredBulkOperation | undefined> {
  const found = isId(id) ? await prisma.bulkOperation.findUnique({ where: { id } }) : null;
  return found ? toStoredBulkOperation(found) : undefined;
}
