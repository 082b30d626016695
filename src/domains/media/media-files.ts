/** The uploaded files of a business: found, listed, described, deleted. */
import type { Context } from '../../context.ts';
import { classifyDbError } from '../../db/errors.ts';
import type { Queries } from '../../db/handles.ts';
import { notFoundError, validationError } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { assertVersion, versionCondition } from '../../lib/optimistic-locking.ts';
import { keysetRange, loadPage, type Page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import { filterVisibleToStaff } from '../shared/staff-visibility.ts';
import { type MediaFile, toMediaFile } from './model.ts';
import { removeMediaFileJob } from './remove-stored-files.ts';
import type { ListMediaFilesArgs, MediaFileAddress, UpdateMediaFileArgs } from './schemas.ts';

const what = 'Media file';

/** Any of these sees them. */
export const mediaReadPermissions = ['PRODUCTS_WRITE', 'CONTENT_WRITE'] as const;

export async function findMediaFile(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { businessId, id }: Pick<MediaFileAddress, 'businessId' | 'id'>,
): Promise<MediaFile | undefined> {
  if (!isId(businessId) || !isId(id)) return undefined;
  const found = await db.prisma.mediaFile.findFirst({ where: { businessId, id } });
  return found ? toMediaFile(config, found) : undefined;
}

/** The files among `ids` that the viewer may see, by id, of whatever business. */
export async function loadVisibleMediaFiles(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, MediaFile>> {
  const found = await ctx.db.prisma.mediaFile.findMany({ where: { id: { in: [...ids] } } });
  return filterVisibleToStaff(
    ctx,
    mediaReadPermissions,
    found.map((file) => toMediaFile(ctx.config, file)),
  );
}

/** Without a state: everything that was uploaded. */
export async function listMediaFiles(ctx: Context, args: ListMediaFilesArgs): Promise<Page<MediaFile>> {
  const { mediaFile } = ctx.db.prisma;
  const { businessId, state } = args;
  const where = { businessId, state: state ?? { not: 'UPLOADING' as const } };
  return loadPage<MediaFile>({
    secret: ctx.keys.secret,
    list: `media:${businessId}:${state ?? ''}`,
    args,
    keyOf: ({ id }) => id,
    async fetch(slice, take) {
      const { range, direction } = keysetRange(slice, 'desc');
      const found = await mediaFile.findMany({
        where: { ...where, id: range },
        orderBy: { id: direction },
        take,
      });
      return found.map((file) => toMediaFile(ctx.config, file));
    },
    count: () => mediaFile.count({ where }),
  });
}

export function updateMediaFile(ctx: Context, { input, ...at }: UpdateMediaFileArgs): Promise<MediaFile> {
  return ctx.db.transaction(async (tx) => {
    const changed = await lock(tx, at, input.alt === undefined ? {} : { alt: input.alt });
    return toMediaFile(ctx.config, changed);
  });
}

/** Its files go with it, soon after. */
export async function deleteMediaFile(ctx: Context, at: MediaFileAddress): Promise<{ id: string }> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const { id, businessId } = await lock(tx, at, {});
      await tx.prisma.mediaFile.delete({ where: { id }, select: { id: true } });
      await ctx.jobs.enqueue(tx, removeMediaFileJob, { businessId, id });
      return { id };
    });
  } catch (error) {
    if (classifyDbError(error)?.kind !== 'foreignKey') throw error;
    throw validationError({
      field: 'id',
      error: 'MEDIA_IN_USE',
      message: 'Products or content name this file: take it out of them first.',
    });
  }
}

/** Every change is a new version; writing that first locks the row for what follows. */
async function lock(tx: Queries, { businessId, id, version }: MediaFileAddress, data: { alt?: string }) {
  if (!isId(businessId) || !isId(id)) throw notFoundError(what);
  const [changed] = await tx.prisma.mediaFile.updateManyAndReturn({
    where: { businessId, id, ...versionCondition(version) },
    data: { ...data, version: { increment: 1 }, updatedAt: now() },
  });
  if (changed) return changed;
  const current = await tx.prisma.mediaFile.findFirst({
    where: { businessId, id },
    select: { version: true },
  });
  if (current) assertVersion(current.version, version);
  throw notFoundError(what);
}
