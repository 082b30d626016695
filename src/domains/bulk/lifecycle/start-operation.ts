/** Begins imports and exports: written down with the job that does them. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { AppError, forbiddenError, validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { findCollectionUnrestricted } from '../../collections/read/find-collection.ts';
import { toBulkOperation } from '../files/signed-links.ts';
import { type BulkKind, type BulkOperation, type BulkState, bulkMediaTypes } from '../model.ts';
import type { StartExportArgs, StartImportArgs } from '../schemas.ts';
import { assertFreeBulkSlot, claimBulkSlot, claimUploadSlot } from './concurrency-limits.ts';
import { findStoredBulkOperation } from './find-operations.ts';
import { assertBulkAllowed } from './permissions.ts';
import { runBulkJob } from './run-operation.ts';

export async function startImport(
  ctx: Context,
  { businessId, input }: StartImportArgs,
): Promise<BulkOperation> {
  const { content, ...what } = input;
  await assertBulkAllowed(ctx.viewer, { businessId, kind: 'IMPORT', resource: what.resource });
  const asked = { businessId, input };
  return begin(ctx, 'startImport', asked, async (id) => {
    if (content === undefined) return { kind: 'IMPORT', state: 'UPLOADING' };
    const bytes = Buffer.from(content);
    const inputKey = `${businessId}/${id}/${randomUUID()}/input`;
    const about = { size: bytes.length, type: bulkMediaTypes[what.format] };
    await ctx.media.put(inputKey, Readable.from([bytes]), about);
    return { kind: 'IMPORT', state: 'QUEUED', inputKey, size: bytes.length };
  });
}

export async function startExport(ctx: Context, asked: StartExportArgs): Promise<BulkOperation> {
  const { businessId, input } = asked;
  await assertBulkAllowed(ctx.viewer, { businessId, kind: 'EXPORT', resource: input.resource });
  return begin(ctx, 'startExport', asked, async () => ({ kind: 'EXPORT', state: 'QUEUED' }));
}

interface Beginning {
  kind: BulkKind;
  state: BulkState;
  inputKey?: string;
  size?: number;
}

/** Repeated with the same key, it is the same operation, as far as it has come. */
async function begin(
  ctx: Context,
  name: string,
  asked: StartExportArgs,
  prepare: (id: string) => Promise<Beginning>,
): Promise<BulkOperation> {
  const { user } = ctx.viewer;
  if (!user) throw forbiddenError();
  const { businessId, input } = asked;
  const { id } = await runIdempotent(ctx, name, asked, async (queries) => {
    // Before anything is written; the database decides below.
    await assertFreeBulkSlot(queries, businessId);
    await assertCollectionExists(queries, asked);
    const made = { id: newId(), createdAt: now() };
    const beginning = await prepare(made.id);
    const write = async (tx: Queries) => {
      await (beginning.state === 'QUEUED' ? claimBulkSlot : claimUploadSlot)(tx, businessId);
      const { resource, format, collectionId = null } = input;
      const who = { userId: user.userId, keyId: user.keyId ?? null };
      const data = { ...made, ...beginning, ...who, businessId, resource, format, collectionId };
      await tx.prisma.bulkOperation.create({
        data: { ...data, updatedAt: made.createdAt },
        select: { id: true },
      });
      if (beginning.state === 'QUEUED')
        await ctx.jobs.enqueue(tx, runBulkJob, { id: made.id }, { key: made.id });
      return { id: made.id };
    };
    try {
      return await queries.transaction(write);
    } catch (error) {
      if (beginning.inputKey) await ctx.media.removeAll(`${businessId}/${made.id}`);
      throw error;
    }
  });
  const operation = await findStoredBulkOperation(ctx.db, id);
  if (!operation) throw new AppError('NOT_FOUND', 'The operation is gone.');
  return toBulkOperation(ctx, operation);
}

/** Whether the collection is there that records come from or go to: what can only fail, or find nothing, does not begin. */

export async function assertCollectionExists(
  queries: Queries,
  { businessId, input }: StartExportArgs,
): Promise<void> {
  const { resource, collectionId } = input;
  if (resource !== 'ENTRIES' && resource !== 'SUBSCRIBERS') return;
  const field = 'collectionId';
  if (collectionId === undefined) {
    if (resource === 'ENTRIES') return;
    throw validationError({
      field,
      error: 'REQUIRED',
      message: 'Say of which newsletter they are subscribers.',
    });
  }
  if (await findCollectionUnrestricted(queries, businessId, collectionId)) return;
  throw validationError({
    field,
    error: 'COLLECTION_NOT_FOUND',
    message: 'The business has no such collection.',
  });
}
