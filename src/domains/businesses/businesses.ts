/** Businesses themselves: whoever creates one becomes its ADMIN. */
import type { z } from 'zod';
import { startingRoles } from '../../auth/permissions.ts';
import type { Context } from '../../context.ts';
import { insertRow } from '../../db/rows.ts';
import { unauthenticated } from '../../errors.ts';
import type { Business, Role } from '../../generated/prisma/client.ts';
import { once } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import { type Page, page } from '../../lib/paging.ts';
import { freeSlug, slugify } from '../../lib/slug.ts';
import { now } from '../../lib/time.ts';
import { changeStored, deleteStored, nobody, taken, uniqueOr } from './configuration.ts';
import type { createBusinessCheck, ownListCheck, updateBusinessCheck } from './rules.ts';

export const findBusiness = (ctx: Context, id: string): Promise<Business | null> =>
  ctx.db.prisma.business.findUnique({ where: isId(id) ? { id } : { slug: id } });

/** The businesses the viewer works for, newest first. */
export function listBusinesses(ctx: Context, args: z.output<typeof ownListCheck>): Promise<Page<Business>> {
  const userId = ctx.viewer.user?.userId ?? nobody;
  const where = { memberships: { some: { userId } } };
  return page({
    secret: ctx.keys.secret,
    list: `businesses:${userId}`,
    args,
    keyOf: (business) => business.id,
    fetch: (after, take) =>
      ctx.db.prisma.business.findMany({
        where: after === undefined ? where : { ...where, id: { lt: after } },
        take,
        orderBy: { id: 'desc' },
      }),
    count: () => ctx.db.prisma.business.count({ where }),
  });
}

export function createBusiness(
  ctx: Context,
  { input }: z.output<typeof createBusinessCheck>,
): Promise<Business> {
  const { user } = ctx.viewer;
  if (!user) throw unauthenticated();
  return once(ctx, 'createBusiness', { input }, (queries) =>
    queries.transaction(async (tx) => {
      const time = now();
      const stamps = { createdAt: time, updatedAt: time };
      const base = input.slug ?? slugify(input.name);
      const like = await tx.sql<{ slug: string }>(
        `select slug from businesses where slug = $1 or slug like $1 || '-%'`,
        [base],
      );
      const slug = input.slug ?? freeSlug(base, new Set(like.map((row) => row.slug)));
      const business = await insertRow<Business>(tx, 'businesses', {
        id: newId(),
        name: input.name,
        slug,
        ...stamps,
      });
      if (!business) throw slugTaken();
      for (const { name, permissions } of startingRoles) {
        const role = await insertRow<Role>(tx, 'roles', {
          id: newId(),
          businessId: business.id,
          name,
          permissions,
          ...stamps,
        });
        if (role?.name === 'ADMIN') {
          await insertRow(tx, 'memberships', {
            businessId: business.id,
            userId: user.userId,
            roleId: role.id,
            createdAt: time,
          });
        }
      }
      return business;
    }),
  );
}

export function updateBusiness(
  ctx: Context,
  { id, version, input }: z.output<typeof updateBusinessCheck>,
): Promise<Business> {
  return uniqueOr(slugTaken, () =>
    changeStored({
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

export const deleteBusiness = (ctx: Context, { id, version }: { id: string; version?: number | undefined }) =>
  deleteStored({
    what: 'Business',
    id,
    expected: version,
    find: () => ctx.db.prisma.business.findUnique({ where: { id } }),
    remove: (current) => ctx.db.prisma.business.deleteMany({ where: { id, version: current.version } }),
  });

const slugTaken = () => taken('slug', 'SLUG_TAKEN');
