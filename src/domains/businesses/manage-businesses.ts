/** Creates, reads, updates and deletes businesses. The creator of a business becomes its ADMIN. */
import type { z } from 'zod';
import { insertAccountPlaceholderRow } from '../../auth/account-placeholder-rows.ts';
import { defaultRoles } from '../../auth/permissions-and-default-roles.ts';
import type { Context } from '../../context.ts';
import { businessServersOf, loadPrismaPage, mergePrismaModels, type QueryHandle } from '../../db/index.ts';
import { unauthenticatedError } from '../../errors.ts';
import type { Business, Prisma } from '../../generated/prisma/client.ts';
import { runIdempotent } from '../../idempotency.ts';
import { isId, newId, nilUuid } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import { firstFreeSlug, slugify } from '../../lib/text/slug.ts';
import { now } from '../../lib/time.ts';
import { removeBusinessFilesJob } from '../media/remove-stored-files.ts';
import { runBusinessDeletionHooks } from '../shared/business-deletion-registry.ts';
import {
  alreadyTakenError,
  deleteConfigurationRecord,
  rethrowUniqueViolationAs,
  updateConfigurationRecord,
} from '../shared/manage-configuration-records.ts';
import type { createBusinessSchema, listOwnBusinessesSchema, updateBusinessSchema } from './schemas.ts';
import { assertMayCreateBusiness } from './staff/assert-may-create-business.ts';

export const findBusiness = (ctx: Context, id: string): Promise<Business | null> =>
  ctx.db.prisma.business.findUnique({ where: isId(id) ? { id } : { slug: id } });

/** Name of the business; empty when the business does not exist. */
export async function loadBusinessName({ prisma }: QueryHandle, id: string): Promise<string> {
  const business = await prisma.business.findUnique({ where: { id }, select: { name: true } });
  return business?.name ?? '';
}

/** Number of businesses on this server. */
export const countBusinesses = ({ prisma }: QueryHandle): Promise<number> => prisma.business.count();

/** Ids of all businesses, in batches of at most 1000. */
export async function* streamBusinessIds({ prisma }: QueryHandle): AsyncGenerator<string[]> {
  for (let last = nilUuid; ; ) {
    const rows = await prisma.business.findMany({
      where: { id: { gt: last } },
      orderBy: { id: 'asc' },
      take: 1000,
      select: { id: true },
    });
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) yield ids;
    if (ids.length < 1000) return;
    last = ids.at(-1) ?? last;
  }
}

export async function filterExistingBusinessIds(
  { prisma }: QueryHandle,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await prisma.business.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
}

/** Businesses of which the viewer is a member, newest first. */
export async function listOwnBusinesses(
  ctx: Context,
  args: z.output<typeof listOwnBusinessesSchema>,
): Promise<Page<Business>> {
  const userId = ctx.viewer.user?.userId ?? nilUuid;
  const where = { memberships: { some: { userId } }, ...(await accessibleToKey(ctx)) };
  const model = mergePrismaModels<Business>(businessServersOf(ctx.db), ({ prisma }) => prisma.business);
  return loadPrismaPage<Business>(ctx, model, { list: `businesses:${userId}`, args, where });
}

/** Filter for restricted API keys: only businesses in which the key has a permission. Empty for other viewers. */
async function accessibleToKey({ viewer }: Context): Promise<Prisma.BusinessWhereInput> {
  if (viewer.accountUser) return {};
  const permissionsByBusiness = [...(await viewer.permissionsByBusiness())];
  return { id: { in: permissionsByBusiness.flatMap(([id, { size }]) => (size > 0 ? [id] : [])) } };
}

export const createBusiness = (
  ctx: Context,
  args: z.output<typeof createBusinessSchema>,
): Promise<Business> =>
  ctx.servers
    ? ctx.servers.createBusiness(ctx, (serverCtx, id) => createBusinessWithId(serverCtx, args, id))
    : createBusinessWithId(ctx, args, newId());

function createBusinessWithId(
  ctx: Context,
  { input }: z.output<typeof createBusinessSchema>,
  id: string,
): Promise<Business> {
  const { accountUser } = ctx.viewer;
  if (!accountUser) throw unauthenticatedError();
  return rethrowUniqueViolationAs(slugTaken, () =>
    runIdempotent(ctx, 'createBusiness', { input }, (queries) =>
      queries.transaction(async (tx) => {
        await assertMayCreateBusiness(ctx, tx, accountUser.userId);
        if (input.slug !== undefined) await assertSlugIsFreeOnOtherServers(tx, input.slug);
        const time = now();
        const business = await tx.prisma.business.create({
          data: {
            id,
            name: input.name,
            slug: input.slug ?? (await unusedSlug(tx, input.name)),
            publicRead: input.publicRead ?? false,
            createdAt: time,
            updatedAt: time,
          },
        });
        await createDefaultRoles(tx, business, accountUser.userId);
        return business;
      }),
    ),
  );
}

async function unusedSlug(queries: QueryHandle, name: string): Promise<string> {
  const base = slugify(name);
  const similar = await Promise.all(
    businessServersOf(queries).map(({ prisma }) =>
      prisma.business.findMany({
        where: { OR: [{ slug: base }, { slug: { startsWith: `${base}-` } }] },
        select: { slug: true },
      }),
    ),
  );
  return firstFreeSlug(base, new Set(similar.flat().map(({ slug }) => slug)));
}

/** The unique index of a server does not cover the others. Two requests for one slug at the same time on two servers are not noticed. */
async function assertSlugIsFreeOnOtherServers(tx: QueryHandle, slug: string): Promise<void> {
  for (const { prisma } of tx.otherServers?.businesses ?? [])
    if ((await prisma.business.count({ where: { slug } })) > 0) throw slugTaken();
}

/** Creates the default roles of a business and assigns ADMIN to its founder. */
async function createDefaultRoles(tx: QueryHandle, { id, createdAt }: Business, founderId: string) {
  const { prisma } = tx;
  const roles = defaultRoles.map(({ name, permissions }) => ({
    id: newId(),
    businessId: id,
    name,
    permissions: [...permissions],
    createdAt,
    updatedAt: createdAt,
  }));
  await prisma.role.createMany({ data: roles });
  const admin = roles.find(({ name }) => name === 'ADMIN');
  if (!admin) throw new Error('The default roles contain no role ADMIN.');
  await insertAccountPlaceholderRow(tx, founderId, createdAt);
  await prisma.membership.create({
    data: { businessId: id, userId: founderId, roleId: admin.id, createdAt, acceptedAt: createdAt },
  });
}

export function updateBusiness(
  ctx: Context,
  { id, version, input }: z.output<typeof updateBusinessSchema>,
): Promise<Business> {
  const update = () => updateStoredBusiness(ctx, { id, version, input });
  return ctx.servers && input.slug !== undefined ? ctx.servers.serializeSlugChanges(ctx, update) : update();
}

function updateStoredBusiness(
  ctx: Context,
  { id, version, input }: z.output<typeof updateBusinessSchema>,
): Promise<Business> {
  return rethrowUniqueViolationAs(slugTaken, () =>
    updateConfigurationRecord(ctx, {
      recordName: 'Business',
      expectedVersion: version,
      find: () => ctx.db.prisma.business.findUnique({ where: { id } }),
      change: async (current, stamp) => {
        if (input.slug !== undefined) await assertSlugIsFreeOnOtherServers(ctx.db, input.slug);
        return ctx.db.prisma.business.updateMany({
          where: { id, version: current.version },
          data: {
            name: input.name ?? current.name,
            slug: input.slug ?? current.slug,
            publicRead: input.publicRead ?? current.publicRead,
            ...stamp,
          },
        });
      },
    }),
  );
}

/** Jobs delete the files of the business and close its payment pages after the commit. */
export const deleteBusiness = (
  ctx: Context,
  { id, version }: { id: string; version?: number | null | undefined },
) =>
  deleteConfigurationRecord({
    recordName: 'Business',
    id,
    expectedVersion: version,
    find: () => ctx.db.prisma.business.findUnique({ where: { id } }),
    remove: (current) =>
      ctx.db.transaction(async (tx) => {
        const finishDeletion = await runBusinessDeletionHooks(ctx, tx, id);
        const deleted = await tx.prisma.business.deleteMany({ where: { id, version: current.version } });
        if (deleted.count === 0) return deleted;
        await finishDeletion();
        await ctx.jobs.enqueue(tx, removeBusinessFilesJob, { businessId: id });
        return deleted;
      }),
  });

const slugTaken = () => alreadyTakenError('slug', 'SLUG_TAKEN');
