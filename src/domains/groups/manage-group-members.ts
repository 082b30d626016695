/** Lists, adds and removes members of a customer group. */
import type { z } from 'zod';
import { insertAccountPlaceholderRow } from '../../auth/account-placeholder-rows.ts';
import type { Context } from '../../context.ts';
import { classifyDbError, loadPrismaPage } from '../../db/index.ts';
import { notFoundError } from '../../errors.ts';
import type { CustomerGroupMember } from '../../generated/prisma/client.ts';
import { isId } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import { emitWebhookEvents } from '../webhooks/emit-events.ts';
import { assertCustomerOfBusiness, customerNotFoundError } from './assert-customer-of-business.ts';
import { buildGroupMemberEvent } from './build-events.ts';
import { findCustomerGroup } from './manage-customer-groups.ts';
import type { addGroupMemberSchema, listGroupMembersSchema } from './schemas.ts';

interface GroupAddress {
  businessId: string;
  groupId: string;
}

async function assertGroupExists(ctx: Context, { businessId, groupId }: GroupAddress): Promise<void> {
  if (!(await findCustomerGroup(ctx, { businessId, id: groupId }))) throw notFoundError('Customer group');
}

/** Sorted by user id. */
export async function listGroupMembers(
  ctx: Context,
  { businessId, groupId, ...args }: z.output<typeof listGroupMembersSchema>,
): Promise<Page<CustomerGroupMember>> {
  const where = { businessId, groupId };
  return loadPrismaPage<CustomerGroupMember>(ctx, ctx.db.prisma.customerGroupMember, {
    list: `customerGroupMembers:${businessId}:${groupId}`,
    args,
    where,
    key: 'userId',
    order: 'asc',
    whenEmpty: () => assertGroupExists(ctx, where),
  });
}

/** Idempotent: an existing member keeps its `createdAt`, and concurrent requests for the same user all succeed. */
export async function addGroupMember(
  ctx: Context,
  { businessId, groupId, input: { userId } }: z.output<typeof addGroupMemberSchema>,
): Promise<CustomerGroupMember> {
  await assertGroupExists(ctx, { businessId, groupId });
  await assertCustomerOfBusiness(ctx.db, businessId, userId);
  const key = { businessId, groupId, userId };
  try {
    await ctx.db.transaction(async (tx) => {
      const time = now();
      if (!(await insertAccountPlaceholderRow(tx, userId, time))) throw customerNotFoundError();
      const data = [{ ...key, createdAt: time }];
      const { count } = await tx.prisma.customerGroupMember.createMany({ data, skipDuplicates: true });
      const event = buildGroupMemberEvent('customer_group.member_added', key);
      await emitWebhookEvents(ctx, tx, businessId, count > 0 ? [event] : []);
    });
  } catch (error) {
    if (classifyDbError(error)?.kind !== 'foreignKey') throw error;
    // The group or the user was deleted concurrently.
    await assertGroupExists(ctx, { businessId, groupId });
    throw customerNotFoundError();
  }
  const member = await ctx.db.prisma.customerGroupMember.findUnique({
    where: { businessId_groupId_userId: key },
  });
  if (!member) throw notFoundError('Member');
  return member;
}

export async function removeGroupMember(
  ctx: Context,
  { businessId, groupId, userId }: GroupAddress & { userId: string },
): Promise<{ id: string }> {
  const key = { businessId, groupId, userId };
  if (!isId(businessId) || !isId(userId)) throw notFoundError('Member');
  await ctx.db.transaction(async (tx) => {
    const { count } = await tx.prisma.customerGroupMember.deleteMany({ where: key });
    if (count === 0) throw notFoundError('Member');
    await emitWebhookEvents(ctx, tx, businessId, [
      buildGroupMemberEvent('customer_group.member_removed', key),
    ]);
  });
  return { id: userId };
}
