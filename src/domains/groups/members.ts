/** Who is in a customer group. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import { notFound } from '../../errors.ts';
import type { CustomerGroupMember } from '../../generated/prisma/client.ts';
import { isId } from '../../lib/ids.ts';
import { keysOf, type Page, page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import { announce } from '../webhooks/announce.ts';
import type { addMemberCheck, memberListCheck } from './checks.ts';
import { expectCustomer, noCustomer } from './customers.ts';
import { memberEvent } from './events.ts';
import { findGroup } from './groups.ts';

interface GroupAddress {
  businessId: string;
  groupId: string;
}

async function expectGroup(ctx: Context, { businessId, groupId }: GroupAddress): Promise<void> {
  if (!(await findGroup(ctx, { businessId, id: groupId }))) throw notFound('Customer group');
}

/** In the order of their ids: a list to look through, not news. */
export async function listMembers(
  ctx: Context,
  { businessId, groupId, ...args }: z.output<typeof memberListCheck>,
): Promise<Page<CustomerGroupMember>> {
  const { customerGroupMember: members } = ctx.db.prisma;
  const where = { businessId, groupId };
  return page<CustomerGroupMember>({
    secret: ctx.keys.secret,
    list: `customerGroupMembers:${businessId}:${groupId}`,
    args,
    keyOf: ({ userId }) => userId,
    async fetch(slice, take) {
      const { range, direction } = keysOf(slice, 'asc');
      const found = await members.findMany({
        where: { ...where, userId: range },
        take,
        orderBy: { userId: direction },
      });
      if (found.length === 0) await expectGroup(ctx, where);
      return found;
    },
    count: () => members.count({ where }),
  });
}

/** Whoever is in it already stays in it, since when they were: two who add the same person at once both succeed. */
export async function addMember(
  ctx: Context,
  { businessId, groupId, input: { userId } }: z.output<typeof addMemberCheck>,
): Promise<CustomerGroupMember> {
  await expectGroup(ctx, { businessId, groupId });
  await expectCustomer(ctx.db, businessId, userId);
  const key = { businessId, groupId, userId };
  try {
    await ctx.db.transaction(async (tx) => {
      const data = [{ ...key, createdAt: now() }];
      const { count } = await tx.prisma.customerGroupMember.createMany({ data, skipDuplicates: true });
      const event = memberEvent('customer_group.member_added', key);
      await announce(ctx, tx, businessId, count > 0 ? [event] : []);
    });
  } catch (error) {
    if (describeDbError(error)?.kind !== 'foreignKey') throw error;
    // The group or the person has gone in between.
    await expectGroup(ctx, { businessId, groupId });
    throw noCustomer();
  }
  const member = await ctx.db.prisma.customerGroupMember.findUnique({
    where: { businessId_groupId_userId: key },
  });
  if (!member) throw notFound('Member');
  return member;
}

export async function removeMember(
  ctx: Context,
  { businessId, groupId, userId }: GroupAddress & { userId: string },
): Promise<{ id: string }> {
  const key = { businessId, groupId, userId };
  if (!isId(businessId) || !isId(userId)) throw notFound('Member');
  await ctx.db.transaction(async (tx) => {
    const { count } = await tx.prisma.customerGroupMember.deleteMany({ where: key });
    if (count === 0) throw notFound('Member');
    await announce(ctx, tx, businessId, [memberEvent('customer_group.member_removed', key)]);
  });
  return { id: userId };
}
