/** Begins imports and exports: written down with the job that does them. */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { AppError, forbidden } from '../../errors.ts';
import { once } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { StartExport, StartImport } from './checks.ts';
import { expectCollection } from './expect-collection.ts';
import { shown } from './links.ts';
import { type BulkKind, type BulkOperation, type BulkState, mediaTypes } from './model.ts';
import { expectRight } from './rights.ts';
import { claimForm, claimRoom, expectRoom } from './room.ts';
import { runJob } from './run.ts';
import { findStored } from './store.ts';

export async function startImport(ctx: Context, { businessId, input }: StartImport): Promise<BulkOperation> {
  const { content, ...what } = input;
  await expectRight(ctx.viewer, { businessId, kind: 'IMPORT', resource: what.resource });
  const asked = { businessId, input };
  return begin(ctx, 'startImport', asked, async (id) => {
    if (content === undefined) return { kind: 'IMPORT', state: 'UPLOADING' };
    const bytes = Buffer.from(content);
    const inputKey = `${businessId}/${id}/${randomUUID()}/input`;
    const about = { size: bytes.length, type: mediaTypes[what.format] };
    await ctx.media.put(inputKey, Readable.from([bytes]), about);
    return { kind: 'IMPORT', state: 'QUEUED', inputKey, size: bytes.length };
  });
}

export async function startExport(ctx: Context, asked: StartExport): Promise<BulkOperation> {
  const { businessId, input } = asked;
  await expectRight(ctx.viewer, { businessId, kind: 'EXPORT', resource: input.resource });
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
  asked: StartExport,
  prepare: (id: string) => Promise<Beginning>,
): Promise<BulkOperation> {
  const { user } = ctx.viewer;
  if (!user) throw forbidden();
  const { businessId, input } = asked;
  const { id } = await once(ctx, name, asked, async (queries) => {
    // Before anything is written; the database decides below.
    await expectRoom(queries, businessId);
    await expectCollection(queries, asked);
    const made = { id: newId(), createdAt: now() };
    const beginning = await prepare(made.id);
    const write = async (tx: Queries) => {
      await (beginning.state === 'QUEUED' ? claimRoom : claimForm)(tx, businessId);
      const { resource, format, collectionId = null } = input;
      const who = { userId: user.userId, keyId: user.keyId ?? null };
      const data = { ...made, ...beginning, ...who, businessId, resource, format, collectionId };
      await tx.prisma.bulkOperation.create({
        data: { ...data, updatedAt: made.createdAt },
        select: { id: true },
      });
      if (beginning.state === 'QUEUED') await ctx.jobs.enqueue(tx, runJob, { id: made.id }, { key: made.id });
      return { id: made.id };
    };
    try {
      return await queries.transaction(write);
    } catch (error) {
      if (beginning.inputKey) await ctx.media.removeAll(`${businessId}/${made.id}`);
      throw error;
    }
  });
  const operation = await findStored(ctx.db, id);
  if (!operation) throw new AppError('NOT_FOUND', 'The operation is gone.');
  return shown(ctx, operation);
}
