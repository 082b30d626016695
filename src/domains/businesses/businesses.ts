/** Businesses themselves: whoever creates one becomes its ADMIN. */
import type { z } from 'zod';
import { defaultRoles } from '../../auth/permissions.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import { unauthenticatedError } from '../../errors.ts';
import type { Business, Prisma } from '../../generated/prisma/client.ts';
import { runIdempotent } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import { keysetRange, loadPage, type Page } from '../../lib/paging.ts';
import { firstFreeSlug, slugify } from '../../lib/text/slug.ts';
import { now } from '../../lib/time.ts';
import { removeBusinessFilesJob } from '../media/remove-stored-files.ts';
import {
  alreadyTakenError,
  deleteConfigurationRecord,
  mapUniqueViolation,
  nilUuid,
  updateConfigurationRecord,
} from '../shared/configuration-records.ts';
import type { createBusinessSchema, updateBusinessSchema, viewerBusinessesSchema } from './schemas.ts';

export const findBusiness = (ctx: Context, id: string): Promise<Business | null> =>
  ctx.db.prisma.business.findUnique({ where: isId(id) ? { id } : { slug: id } });

/** What the business calls itself; empty when there is no such business. */
export async function loadBusinessName({ prisma }: Queries, id: string): Promise<string> {
  const business = await prisma.business.findUnique({ where: { id }, select: { name: true } });
  return business?.name ?? '';
}

export async function filterExistingBusinessIds(
  { prisma }: Queries,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await prisma.business.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(found.map(({ id }) => id));
}

/** The businesses the viewer works for, newest first. */
export async function listBusinesses(
  ctx: Context,
  args: z.output<typeof viewerBusinessesSchema>,
): Promise<Page<Business>> {
  const userId = ctx.viewer.user?.userId ?? nilUuid;
  const where = { memberships: { some: { userId } }, ...(await workableOnly(ctx)) };
  return loadPage({
    secret: ctx.keys.secret,
    list: `businesses:${userId}`,
    args,
    keyOf: (business) => business.id,
    fetch(slice, take) {
      const { range, direction } = keysetRange(slice, 'desc');
      return ctx.db.prisma.business.findMany({
        where: { AND: [where, { id: range }] },
        take,
        orderBy: { id: direction },
      });
    },
    count: () => ctx.db.prisma.business.count({ where }),
  });
}

/** An API key that is limited to some permissions does not see where it can do nothing. */
async function workableOnly({ viewer }: Context): Promise<Prisma.BusinessWhereInput> {
  if (viewer.accountUser) return {};
  const held = [...(await viewer.permissionsByBusiness())];
  return { id: { in: held.flatMap(([id, { size }]) => (size > 0 ? [id] : [])) } };
}

export function createBusiness(
  ctx: Context,
  { input }: z.output<typeof createBusinessSchema>,
): Promise<Business> {
  const { accountUser: person } = ctx.viewer;
  if (!person) throw unauthenticatedError();
  return mapUniqueViolation(slugTaken, () =>
    runIdempotent(ctx, 'createBusiness', { input }, (queries) =>
      queries.transaction(async (tx) => {
        const time = now();
        const business = await tx.prisma.business.create({
          data: {
            id: newId(),
            name: input.name,
            slug: input.slug ?? (await unusedSlug(tx, input.name)),
            createdAt: time,
            updatedAt: time,
          },
        });
        await hireFounder(tx, business, person.userId);
        return business;
      }),
    ),
  );
}

async function unusedSlug({ prisma }: Queries, name: string): Promise<string> {
  const base = slugify(name);
  const like = await prisma.business.findMany({
    where: { OR: [{ slug: base }, { slug: { startsWith: `${base}-` } }] },
    select: { slug: true },
  });
  return firstFreeSlug(base, new Set(like.map(({ slug }) => slug)));
}

/** The roles a business starts with, and the first person to hold one. */
async function hireFounder({ prisma }: Queries, { id, createdAt }: Business, userId: string) {
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
  if (!admin) throw new Error('No role ADMIN to start with.');
  await prisma.membership.create({ data: { businessId: id, userId, roleId: admin.id, createdAt } });
}

export function updateBusiness(
  ctx: Context,
  { id, version, input }: z.output<typeof updateBusinessSchema>,
): Promise<Business> {
  return mapUniqueViolation(slugTaken, () =>
    updateConfigurationRecord(ctx, {
      what: 'Business',
      expected: version,
      find: () => ctx.db.prisma.business.findUnique({ where: { id } }),
      change: (current, stamp) =>
        ctx.db.prisma.business.updateMany({
          where: { id, version: current.version },
          data: { name: input.name ?? current.name, slug: input.slug ?? current.slug, ...stamp },
        }),
    }),
  );
}

/** Its files go with it, soon after. */
export const deleteBusiness = (ctx: Context, { id, version }: { id: string; version?: number | undefined }) =>
  deleteConfigurationRecord({
    what: 'Business',
    id,
    expected: version,
    find: () => ctx.db.prisma.business.findUnique({ where: { id } }),
    remove: (current) =>
      ctx.db.transaction(async (tx) => {
        const deleted = await tx.prisma.business.deleteMany({ where: { id, version: current.version } });
        if (deleted.count > 0) await ctx.jobs.enqueue(tx, removeBusinessFilesJob, { businessId: id });
        return deleted;
      }),
  });

const slugTaken = () => alreadyTakenError('slug', 'SLUG_TAKEN');
