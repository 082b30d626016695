/** `startImport` and `startExport`: create an operation and enqueue its job in one transaction. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { AppError, forbiddenError, validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { findCollectionWithoutVisibilityCheck } from '../../collections/read/find-and-lock-stored-collection.ts';
import { assertWithinStorageQuota } from '../../shared/storage-and-record-quotas.ts';
import { toBulkOperation } from '../files/signed-links.ts';
import { type BulkKind, type BulkOperation, type BulkState, bulkMediaTypes } from '../model.ts';
import type { StartExportArgs, StartImportArgs } from '../schemas.ts';
import { assertBulkAllowed } from './bulk-permission-checks.ts';
import {
  assertFreeBulkSlot,
  lockAndAssertFreeBulkSlot,
  lockAndAssertFreeBulkUploadSlot,
} from './concurrency-limits.ts';
import { findStoredBulkOperation } from './find-and-cancel-operations.ts';
import { runBulkJob } from './run-operation.ts';

export async function startImport(
  ctx: Context,
  { businessId, input }: StartImportArgs,
): Promise<BulkOperation> {
  const { content, resource, format } = input;
  await assertBulkAllowed(ctx.viewer, { businessId, kind: 'IMPORT', resource });
  return startOperation(ctx, 'startImport', { businessId, input }, async (id) => {
    if (content === undefined) return { kind: 'IMPORT', state: 'UPLOADING' };
    const bytes = Buffer.from(content);
    const inputKey = `${businessId}/${id}/${randomUUID()}/input`;
    const fileInfo = { size: bytes.length, type: bulkMediaTypes[format], isPrivate: true };
    await ctx.media.put(inputKey, Readable.from([bytes]), fileInfo);
    return { kind: 'IMPORT', state: 'QUEUED', inputKey, size: bytes.length };
  });
}

export async function startExport(ctx: Context, args: StartExportArgs): Promise<BulkOperation> {
  const { businessId, input } = args;
  await assertBulkAllowed(ctx.viewer, { businessId, kind: 'EXPORT', resource: input.resource });
  return startOperation(ctx, 'startExport', args, async () => ({ kind: 'EXPORT', state: 'QUEUED' }));
}

interface InitialState {
  kind: BulkKind;
  state: BulkState;
  inputKey?: string;
  size?: number;
}

/** A retry with the same idempotency key returns the same operation in its current state. */
async function startOperation(
  ctx: Context,
  name: string,
  args: StartExportArgs,
  prepare: (id: string) => Promise<InitialState>,
): Promise<BulkOperation> {
  const { user } = ctx.viewer;
  if (!user) throw forbiddenError();
  const { businessId, input } = args;
  const { id } = await runIdempotent(ctx, name, args, async (queries) => {
    // Checked before the file is stored; checked again below under the lock.
    await assertFreeBulkSlot(queries, businessId);
    await assertCollectionExists(queries, args);
    const created = { id: newId(), createdAt: now() };
    const initial = await prepare(created.id);
    const insert = async (tx: QueryHandle) => {
      await (initial.state === 'QUEUED' ? lockAndAssertFreeBulkSlot : lockAndAssertFreeBulkUploadSlot)(
        tx,
        businessId,
      );
      await assertWithinStorageQuota(ctx, tx, businessId, initial.size ?? 1);
      const { resource, format, collectionId = null } = input;
      const requester = { userId: user.userId, keyId: user.keyId ?? null };
      const data = { ...created, ...initial, ...requester, businessId, resource, format, collectionId };
      await tx.prisma.bulkOperation.create({
        data: { ...data, updatedAt: created.createdAt },
        select: { id: true },
      });
      if (initial.state === 'QUEUED')
        await ctx.jobs.enqueue(tx, runBulkJob, { id: created.id }, { key: created.id });
      return { id: created.id };
    };
    try {
      return await queries.transaction(insert);
    } catch (error) {
      if (initial.inputKey) await ctx.media.removeAll(`${businessId}/${created.id}`);
      throw error;
    }
  });
  const operation = await findStoredBulkOperation(ctx.db, id);
  if (!operation) throw new AppError('NOT_FOUND', 'The operation does not exist any more.');
  return toBulkOperation(ctx, operation);
}

/** Rejects operations on a missing collection at the start: they could only fail, or export nothing. */
async function assertCollectionExists(
  queries: QueryHandle,
  { businessId, input }: StartExportArgs,
): Promise<void> {
  const { resource, collectionId } = input;
  if (resource !== 'ENTRIES' && resource !== 'SUBSCRIBERS') return;
  const field = 'collectionId';
  if (collectionId === undefined) {
    if (resource === 'ENTRIES') return;
    throw validationError(field, 'REQUIRED', 'The newsletter of the subscribers is required.');
  }
  if (await findCollectionWithoutVisibilityCheck(queries, businessId, collectionId)) return;
  throw validationError(field, 'COLLECTION_NOT_FOUND', 'The collection does not exist in this business.');
}
