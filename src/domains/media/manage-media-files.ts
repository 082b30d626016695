/** Finds, lists, updates and deletes media files. */
import type { Context } from '../../context.ts';
import { classifyDbError, loadPrismaPage, type QueryHandle } from '../../db/index.ts';
import { notFoundError, validationError } from '../../errors.ts';
import type { MediaFile as StoredMediaFile } from '../../generated/prisma/client.ts';
import { isId } from '../../lib/ids.ts';
import { assertExpectedVersion, buildVersionWhere } from '../../lib/optimistic-locking.ts';
import type { Page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import { filterRecordsVisibleToStaff } from '../shared/filter-records-by-permission.ts';
import { type MediaFile, toMediaFile } from './model.ts';
import { removeMediaFileJob } from './remove-stored-files.ts';
import type { ListMediaFilesArgs, MediaFileRefArgs, UpdateMediaFileArgs } from './schemas.ts';

const recordName = 'Media file';

/** Any of these permissions allows reading media files. */
export const mediaReadPermissions = ['PRODUCTS_WRITE', 'CONTENT_WRITE'] as const;

export async function findMediaFile(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { businessId, id }: Pick<MediaFileRefArgs, 'businessId' | 'id'>,
): Promise<MediaFile | undefined> {
  if (!isId(businessId) || !isId(id)) return undefined;
  const row = await db.prisma.mediaFile.findFirst({ where: { businessId, id } });
  return row ? toMediaFile(config, row) : undefined;
}

/** Files among `ids` that the viewer may see, by id, across all businesses. */
export async function loadVisibleMediaFiles(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, MediaFile>> {
  const rows = await ctx.db.prisma.mediaFile.findMany({ where: { id: { in: [...ids] } } });
  return filterRecordsVisibleToStaff(
    ctx,
    mediaReadPermissions,
    rows.map((file) => toMediaFile(ctx.config, file)),
  );
}

/** Without `state`, lists all files except those in state UPLOADING. */
export async function listMediaFiles(ctx: Context, args: ListMediaFilesArgs): Promise<Page<MediaFile>> {
  const { businessId, state } = args;
  return loadPrismaPage<StoredMediaFile, MediaFile>(ctx, ctx.db.prisma.mediaFile, {
    list: `media:${businessId}:${state ?? ''}`,
    args,
    where: { businessId, state: state ?? { not: 'UPLOADING' } },
    toNode: (file) => toMediaFile(ctx.config, file),
  });
}

export function updateMediaFile(
  ctx: Context,
  { input, ...address }: UpdateMediaFileArgs,
): Promise<MediaFile> {
  return ctx.db.transaction(async (tx) => {
    const row = await updateAndLock(tx, address, input.alt === undefined ? {} : { alt: input.alt });
    return toMediaFile(ctx.config, row);
  });
}

/** Deletes the row; a job then removes the stored files. */
export async function deleteMediaFile(ctx: Context, address: MediaFileRefArgs): Promise<{ id: string }> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const { id, businessId } = await updateAndLock(tx, address, {});
      await tx.prisma.mediaFile.delete({ where: { id }, select: { id: true } });
      await ctx.jobs.enqueue(tx, removeMediaFileJob, { businessId, id });
      return { id };
    });
  } catch (error) {
    if (classifyDbError(error)?.kind !== 'foreignKey') throw error;
    throw validationError(
      'id',
      'MEDIA_IN_USE',
      'Products or content reference this file. Remove the references first.',
    );
  }
}

/** Writes `data` and increments the version, which also locks the row until the transaction ends. */
async function updateAndLock(
  tx: QueryHandle,
  { businessId, id, version }: MediaFileRefArgs,
  data: { alt?: string },
) {
  if (!isId(businessId) || !isId(id)) throw notFoundError(recordName);
  const [row] = await tx.prisma.mediaFile.updateManyAndReturn({
    where: { businessId, id, ...buildVersionWhere(version) },
    data: { ...data, version: { increment: 1 }, updatedAt: now() },
  });
  if (row) return row;
  const current = await tx.prisma.mediaFile.findFirst({
    where: { businessId, id },
    select: { version: true },
  });
  if (current) assertExpectedVersion(current.version, version);
  throw notFoundError(recordName);
}
