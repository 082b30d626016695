/** Businesses themselves: whoever creates one becomes its ADMIN. */
import type { z } from 'zod';
import { startingRoles } from '../../auth/permissions.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { unauthenticated } from '../../errors.ts';
import type { Business, Prisma } from '../../generated/prisma/client.ts';
import { once } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import { keysOf, type Page, page } from '../../lib/paging.ts';
import { freeSlug, slugify } from '../../lib/slug.ts';
import { now } from '../../lib/time.ts';
import { removeAllJob } from '../media/remove.ts';
import { changeStored, deleteStored, nobody, taken, uniqueOr } from '../shared/configuration.ts';
import type { createBusinessCheck, ownListCheck, updateBusinessCheck } from './checks.ts';

export const findBusiness = (ctx: Context, id: string): Promise<Business | null> =>
  ctx.db.prisma.business.findUnique({ where: isId(id) ? { id } : { slug: id } });

/** What the business calls itself; empty when there is no such business. */
export async function businessName({ prisma }: Queries, id: string): Promise<string> {
  const business = await prisma.business.findUnique({ where: { id }, select: { name: true } });
  return business?.name ?? '';
}

export async function existingBusinesses({ prisma }: Queries, ids: readonly string[]): Promise<Set<string>> {
  const found = await prisma.business.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(found.map(({ id }) => id));
}

/** The businesses the viewer works for, newest first. */
export async function listBusinesses(
  ctx: Context,
  args: z.output<typeof ownListCheck>,
): Promise<Page<Business>> {
  const userId = ctx.viewer.user?.userId ?? nobody;
  const where = { memberships: { some: { userId } }, ...(await workableOnly(ctx)) };
  return page({
    secret: ctx.keys.secret,
    list: `businesses:${userId}`,
    args,
    keyOf: (business) => business.id,
    fetch(slice, take) {
      const { range, direction } = keysOf(slice, 'desc');
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
  if (viewer.person) return {};
  const held = [...(await viewer.held())];
  return { id: { in: held.flatMap(([id, { size }]) => (size > 0 ? [id] : [])) } };
}

export function createBusiness(
  ctx: Context,
  { input }: z.output<typeof createBusinessCheck>,
): Promise<Business> {
  const { person } = ctx.viewer;
  if (!person) throw unauthenticated();
  return uniqueOr(slugTaken, () =>
    once(ctx, 'createBusiness', { input }, (queries) =>
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
  return freeSlug(base, new Set(like.map(({ slug }) => slug)));
}

/** The roles a business starts with, and the first person to hold one. */
async function hireFounder({ prisma }: Queries, { id, createdAt }: Business, userId: string) {
  const roles = startingRoles.map(({ name, permissions }) => ({
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
  { id, version, input }: z.output<typeof updateBusinessCheck>,
): Promise<Business> {
  return uniqueOr(slugTaken, () =>
    changeStored(ctx, {
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
  deleteStored({
    what: 'Business',
    id,
    expected: version,
    find: () => ctx.db.prisma.business.findUnique({ where: { id } }),
    remove: (current) =>
      ctx.db.transaction(async (tx) => {
        const deleted = await tx.prisma.business.deleteMany({ where: { id, version: current.version } });
        if (deleted.count > 0) await ctx.jobs.enqueue(tx, removeAllJob, { businessId: id });
        return deleted;
      }),
  });

const slugTaken = () => taken('slug', 'SLUG_TAKEN');
