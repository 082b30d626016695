/** Creates, reads, updates and deletes the shipping methods of a business. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { ShippingMethod } from '../../generated/prisma/client.ts';
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
import type { createShippingMethodSchema, updateShippingMethodSchema } from './schemas.ts';

export const findShippingMethod = async (
  ctx: Context,
  { businessId, id }: ConfigurationRecordRef,
): Promise<ShippingMethod | null> =>
  isId(businessId)
    ? ctx.db.prisma.shippingMethod.findUnique({ where: { businessId_id: { businessId, id } } })
    : null;

export const listShippingMethods = (ctx: Context, args: ConfigurationListArgs) =>
  listConfigurationRecords<ShippingMethod>(ctx, 'shippingMethods', args, 'id', ctx.db.prisma.shippingMethod);

export function createShippingMethod(
  ctx: Context,
  { businessId, input }: z.output<typeof createShippingMethodSchema>,
): Promise<ShippingMethod> {
  const time = now();
  const { id = slugify(input.name), name, prices } = input;
  const data = { businessId, id, name, prices, createdAt: time, updatedAt: time };
  return createConfigurationRecord(
    ctx,
    { operation: 'createShippingMethod', table: 'shipping_methods', onConflict: idTaken, businessId, input },
    ({ prisma }) => prisma.shippingMethod.create({ data }),
  );
}

export function updateShippingMethod(
  ctx: Context,
  { businessId, id, version, input }: z.output<typeof updateShippingMethodSchema>,
): Promise<ShippingMethod> {
  return updateConfigurationRecord(ctx, {
    recordName: 'Shipping method',
    expectedVersion: version,
    find: () => findShippingMethod(ctx, { businessId, id }),
    change: (current, stamp) =>
      ctx.db.prisma.shippingMethod.updateMany({
        where: { businessId, id, version: current.version },
        data: {
          name: input.name ?? current.name,
          ...(input.prices ? { prices: input.prices } : {}),
          ...stamp,
        },
      }),
  });
}

export const deleteShippingMethod = (ctx: Context, { businessId, id, version }: DeleteRecordArgs) =>
  deleteConfigurationRecord({
    recordName: 'Shipping method',
    id,
    expectedVersion: version,
    find: () => findShippingMethod(ctx, { businessId, id }),
    remove: (current) =>
      ctx.db.prisma.shippingMethod.deleteMany({ where: { businessId, id, version: current.version } }),
  });

const idTaken = () => alreadyTakenError('id', 'ID_TAKEN');
