/** Finds, lists and cancels the operations of a business, and lists what was wrong with their lines. */
import type { Context } from '../../context.ts';
import { invalid, notFound } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { keysOf, type Page, page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import type { BulkAddress, BulkErrorList, BulkList } from './checks.ts';
import { shown } from './links.ts';
import { activeStates, type BulkLineError, type BulkOperation, type StoredBulk, toStored } from './model.ts';
import { allowedTo, mayDo } from './rights.ts';
import { findStored } from './store.ts';

const what = 'Bulk operation';

/** What somebody may not do, they need not know of either. */
async function findAllowed(ctx: Context, { businessId, id }: BulkAddress): Promise<StoredBulk | undefined> {
  const found = await findStored(ctx.db, id);
  if (found?.businessId !== businessId || !(await mayDo(ctx.viewer, found))) return undefined;
  return found;
}

export async function findBulkOperation(ctx: Context, at: BulkAddress): Promise<BulkOperation | undefined> {
  const found = await findAllowed(ctx, at);
  return found && shown(ctx, found);
}

/** The operations among `ids` that the viewer could have begun, by id, of whatever business. */
export async function loadBulkOperationsAnywhere(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, BulkOperation>> {
  const found = new Map<string, BulkOperation>();
  for (const row of await ctx.db.prisma.bulkOperation.findMany({ where: { id: { in: [...ids] } } })) {
    const stored = toStored(row);
    if (await mayDo(ctx.viewer, stored)) found.set(stored.id, shown(ctx, stored));
  }
  return found;
}

export async function listBulkOperations(ctx: Context, args: BulkList): Promise<Page<BulkOperation>> {
  const { bulkOperation } = ctx.db.prisma;
  const { businessId, kind, state } = args;
  const allowed = await allowedTo(ctx.viewer, businessId);
  const where = {
    businessId,
    OR: allowed,
    ...(kind === undefined ? {} : { kind }),
    ...(state === undefined ? {} : { state }),
  };
  return page<BulkOperation>({
    secret: ctx.keys.secret,
    list: `bulk:${businessId}:${kind ?? ''}:${state ?? ''}`,
    args,
    keyOf: ({ id }) => id,
    async fetch(slice, take) {
      const { range, direction } = keysOf(slice, 'desc');
      const found = await bulkOperation.findMany({
        where: { ...where, id: range },
        orderBy: { id: direction },
        take,
      });
      return found.map((row) => shown(ctx, toStored(row)));
    },
    count: () => bulkOperation.count({ where }),
  });
}

/** In the order of their lines. */
export async function listBulkErrors(ctx: Context, args: BulkErrorList): Promise<Page<BulkLineError>> {
  const operation = await findAllowed(ctx, args);
  if (!operation) throw notFound(what);
  const { bulkError } = ctx.db.prisma;
  const where = { operationId: operation.id };
  return page<BulkLineError>({
    secret: ctx.keys.secret,
    list: `bulk-errors:${operation.id}`,
    args,
    keyOf: ({ id }) => id,
    async fetch(slice, take) {
      const { range, direction } = keysOf(slice, 'asc');
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
export async function cancelBulkOperation(ctx: Context, at: BulkAddress): Promise<BulkOperation> {
  const operation = isId(at.id) ? await findAllowed(ctx, at) : undefined;
  if (!operation) throw notFound(what);
  const time = now();
  await ctx.db.prisma.bulkOperation.updateMany({
    where: { id: operation.id, state: { in: ['UPLOADING', ...activeStates] } },
    data: { state: 'CANCELLED', updatedAt: time, finishedAt: time },
  });
  const after = await findStored(ctx.db, operation.id);
  if (!after) throw notFound(what);
  if (after.state !== 'CANCELLED')
    throw invalid({ field: 'state', error: 'INVALID_TRANSITION', message: `It is ${after.state} already.` });
  return shown(ctx, after);
}
