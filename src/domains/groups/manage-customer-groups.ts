/** Customer groups of a business. Prices reference a group by id without a foreign key: a price for a deleted group applies to no one. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { QueryHandle } from '../../db/index.ts';
import type { CustomerGroup } from '../../generated/prisma/client.ts';
import { isId } from '../../lib/ids.ts';
import type { DeleteRecordArgs } from '../../lib/optimistic-locking.ts';
import { slugify } from '../../lib/text/slug.ts';
import { now } from '../../lib/time.ts';
import {
  alreadyTakenError,
  type ConfigurationListArgs,
  type ConfigurationRecordRef,
  createConfigurationRecord,
  deleteConfigurationRecord,
  listConfigurationRecords,
  updateConfigurationRecord,
} from '../shared/manage-configuration-records.ts';
import { emitWebhookEvents } from '../webhooks/emit-events.ts';
import { buildCustomerGroupEvent } from './build-events.ts';
import type { createCustomerGroupSchema, updateCustomerGroupSchema } from './schemas.ts';

export const findCustomerGroup = async (
  ctx: Context,
  { businessId, id }: ConfigurationRecordRef,
): Promise<CustomerGroup | null> =>
  isId(businessId)
    ? ctx.db.prisma.customerGroup.findUnique({ where: { businessId_id: { businessId, id } } })
    : null;

export const listCustomerGroups = (ctx: Context, args: ConfigurationListArgs) =>
  listConfigurationRecords<CustomerGroup>(ctx, 'customerGroups', args, 'id', ctx.db.prisma.customerGroup);

export function createCustomerGroup(
  ctx: Context,
  { businessId, input }: z.output<typeof createCustomerGroupSchema>,
): Promise<CustomerGroup> {
  const time = now();
  const { id = slugify(input.name), name } = input;
  const data = { businessId, id, name, createdAt: time, updatedAt: time };
  return createConfigurationRecord(
    ctx,
    {
      operation: 'createCustomerGroup',
      table: 'customer_groups',
      onConflict: groupIdTakenError,
      businessId,
      input,
    },
    (queries) =>
      queries.transaction(async (tx) => {
        const created = await tx.prisma.customerGroup.create({ data });
        await emitWebhookEvents(ctx, tx, businessId, [
          buildCustomerGroupEvent('customer_group.created', created),
        ]);
        return created;
      }),
  );
}

export function updateCustomerGroup(
  ctx: Context,
  { businessId, id, version, input }: z.output<typeof updateCustomerGroupSchema>,
): Promise<CustomerGroup> {
  return updateConfigurationRecord(ctx, {
    recordName: 'Customer group',
    expectedVersion: version,
    find: () => findCustomerGroup(ctx, { businessId, id }),
    change: (current, stamp) =>
      ctx.db.transaction(async (tx) => {
        const data = { name: input.name ?? current.name, ...stamp };
        const where = { businessId, id, version: current.version };
        const changed = await tx.prisma.customerGroup.updateMany({ where, data });
        const event = buildCustomerGroupEvent('customer_group.updated', { ...current, ...data });
        await emitWebhookEvents(ctx, tx, businessId, changed.count > 0 ? [event] : []);
        return changed;
      }),
  });
}

export const deleteCustomerGroup = (ctx: Context, { businessId, id, version }: DeleteRecordArgs) =>
  deleteConfigurationRecord({
    recordName: 'Customer group',
    id,
    expectedVersion: version,
    find: () => findCustomerGroup(ctx, { businessId, id }),
    remove: (current) =>
      ctx.db.transaction(async (tx) => {
        const where = { businessId, id, version: current.version };
        const removed = await tx.prisma.customerGroup.deleteMany({ where });
        const event = buildCustomerGroupEvent('customer_group.deleted', current);
        await emitWebhookEvents(ctx, tx, businessId, removed.count > 0 ? [event] : []);
        return removed;
      }),
  });

/** Subset of `ids` that are groups of the business. */
export async function findExistingGroupIds(
  { prisma }: QueryHandle,
  businessId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await prisma.customerGroup.findMany({
    where: { businessId, id: { in: [...ids] } },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}

const groupIdTakenError = () => alreadyTakenError('id', 'ID_TAKEN');
