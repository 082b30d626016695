/** The uploaded files of a business: found, listed, described, deleted. */
import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import type { Queries } from '../../db/sql.ts';
import { invalid, notFound } from '../../errors.ts';
import { isId } from '../../lib/ids.ts';
import { keysOf, type Page, page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import { expectVersion, ofVersion } from '../../lib/version.ts';
import { seenByStaff } from '../shared/seen-by-staff.ts';
import type { MediaAddress, MediaList, UpdateMedia } from './checks.ts';
import { type MediaFile, toMediaFile } from './model.ts';
import { removeJob } from './remove.ts';

const what = 'Media file';

/** Any of these sees them. */
export const mediaReaders = ['PRODUCTS_WRITE', 'CONTENT_WRITE'] as const;

export async function findMedia(
  { db, config }: Pick<Context, 'db' | 'config'>,
  { businessId, id }: Pick<MediaAddress, 'businessId' | 'id'>,
): Promise<MediaFile | undefined> {
  if (!isId(businessId) || !isId(id)) return undefined;
  const found = await db.prisma.mediaFile.findFirst({ where: { businessId, id } });
  return found ? toMediaFile(config, found) : undefined;
}

/** The files among `ids` that the viewer may see, by id, of whatever business. */
export async function loadMediaAnywhere(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, MediaFile>> {
  const found = await ctx.db.prisma.mediaFile.findMany({ where: { id: { in: [...ids] } } });
  return seenByStaff(
    ctx,
    mediaReaders,
    found.map((file) => toMediaFile(ctx.config, file)),
  );
}

/** Without a state: everything that was uploaded. */
export async function listMedia(ctx: Context, args: MediaList): Promise<Page<MediaFile>> {
  const { mediaFile } = ctx.db.prisma;
  const { businessId, state } = args;
  const where = { businessId, state: state ?? { not: 'UPLOADING' as const } };
  return page<MediaFile>({
    secret: ctx.keys.secret,
    list: `media:${businessId}:${state ?? ''}`,
    args,
    keyOf: ({ id }) => id,
    async fetch(slice, take) {
      const { range, direction } = keysOf(slice, 'desc');
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

export function updateMedia(ctx: Context, { input, ...at }: UpdateMedia): Promise<MediaFile> {
  return ctx.db.transaction(async (tx) => {
    const changed = await lock(tx, at, input.alt === undefined ? {} : { alt: input.alt });
    return toMediaFile(ctx.config, changed);
  });
}

/** Its files go with it, soon after. */
export async function deleteMedia(ctx: Context, at: MediaAddress): Promise<{ id: string }> {
  try {
    return await ctx.db.transaction(async (tx) => {
      const { id, businessId } = await lock(tx, at, {});
      await tx.prisma.mediaFile.delete({ where: { id }, select: { id: true } });
      await ctx.jobs.enqueue(tx, removeJob, { businessId, id });
      return { id };
    });
  } catch (error) {
    if (describeDbError(error)?.kind !== 'foreignKey') throw error;
    throw invalid({
      field: 'id',
      error: 'MEDIA_IN_USE',
      message: 'Products or content name this file: take it out of them first.',
    });
  }
}

/** Every change is a new version; writing that first locks the row for what follows. */
async function lock(tx: Queries, { businessId, id, version }: MediaAddress, data: { alt?: string }) {
  if (!isId(businessId) || !isId(id)) throw notFound(what);
  const [changed] = await tx.prisma.mediaFile.updateManyAndReturn({
    where: { businessId, id, ...ofVersion(version) },
    data: { ...data, version: { increment: 1 }, updatedAt: now() },
  });
  if (changed) return changed;
  const current = await tx.prisma.mediaFile.findFirst({
    where: { businessId, id },
    select: { version: true },
  });
  if (current) expectVersion(current.version, version);
  throw notFound(what);
}
