/** Customer groups of a business. Prices name them by id and may outlive them: a price for a group that is gone is for nobody. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import type { CustomerGroup } from '../../generated/prisma/client.ts';
import { once } from '../../idempotency.ts';
import { isId } from '../../lib/ids.ts';
import { slugify } from '../../lib/slug.ts';
import { now } from '../../lib/time.ts';
import {
  changeStored,
  deleteStored,
  type ListArgs,
  listConfiguration,
  type RecordAddress,
  taken,
  uniqueOr,
} from '../shared/configuration.ts';
import { announce } from '../webhooks/announce.ts';
import type { createGroupCheck, updateGroupCheck } from './checks.ts';
import { groupEvent } from './events.ts';

export const findGroup = async (
  ctx: Context,
  { businessId, id }: RecordAddress,
): Promise<CustomerGroup | null> =>
  isId(businessId)
    ? ctx.db.prisma.customerGroup.findUnique({ where: { businessId_id: { businessId, id } } })
    : null;

export const listGroups = (ctx: Context, args: ListArgs) =>
  listConfiguration<CustomerGroup>(ctx, 'customerGroups', args, 'id', ctx.db.prisma.customerGroup);

export function createGroup(
  ctx: Context,
  { businessId, input }: z.output<typeof createGroupCheck>,
): Promise<CustomerGroup> {
  const time = now();
  const { id = slugify(input.name), name } = input;
  const data = { businessId, id, name, createdAt: time, updatedAt: time };
  return uniqueOr(idTaken, () =>
    once(ctx, 'createCustomerGroup', { businessId, input }, (queries) =>
      queries.transaction(async (tx) => {
        const created = await tx.prisma.customerGroup.create({ data });
        await announce(ctx, tx, businessId, [groupEvent('customer_group.created', created)]);
        return created;
      }),
    ),
  );
}

export function updateGroup(
  ctx: Context,
  { businessId, id, version, input }: z.output<typeof updateGroupCheck>,
): Promise<CustomerGroup> {
  return changeStored(ctx, {
    what: 'Customer group',
    expected: version,
    find: () => findGroup(ctx, { businessId, id }),
    change: (current, stamp) =>
      ctx.db.transaction(async (tx) => {
        const data = { name: input.name ?? current.name, ...stamp };
        const where = { businessId, id, version: current.version };
        const changed = await tx.prisma.customerGroup.updateMany({ where, data });
        const event = groupEvent('customer_group.updated', { ...current, ...data });
        await announce(ctx, tx, businessId, changed.count > 0 ? [event] : []);
        return changed;
      }),
  });
}

export const deleteGroup = (
  ctx: Context,
  { businessId, id, version }: RecordAddress & { version?: number | undefined },
) =>
  deleteStored({
    what: 'Customer group',
    id,
    expected: version,
    find: () => findGroup(ctx, { businessId, id }),
    remove: (current) =>
      ctx.db.transaction(async (tx) => {
        const where = { businessId, id, version: current.version };
        const removed = await tx.prisma.customerGroup.deleteMany({ where });
        const event = groupEvent('customer_group.deleted', current);
        await announce(ctx, tx, businessId, removed.count > 0 ? [event] : []);
        return removed;
      }),
  });

/** Which of `ids` are groups of the business. */
export async function existingGroups(
  { prisma }: Queries,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await prisma.customerGroup.findMany({
    where: { businessId, id: { in: [...ids] } },
    select: { id: true },
  });
  return new Set(found.map(({ id }) => id));
}

const idTaken = () => taken('id', 'ID_TAKEN');
