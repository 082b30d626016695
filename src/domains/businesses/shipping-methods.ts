/** Shipping methods of a business. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { ShippingMethod } from '../../generated/prisma/client.ts';
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
import type { createShippingMethodCheck, updateShippingMethodCheck } from './checks.ts';

export const findShippingMethod = async (
  ctx: Context,
  { businessId, id }: RecordAddress,
): Promise<ShippingMethod | null> =>
  isId(businessId)
    ? ctx.db.prisma.shippingMethod.findUnique({ where: { businessId_id: { businessId, id } } })
    : null;

export const listShippingMethods = (ctx: Context, args: ListArgs) =>
  listConfiguration<ShippingMethod>(ctx, 'shippingMethods', args, 'id', ctx.db.prisma.shippingMethod);

export function createShippingMethod(
  ctx: Context,
  { businessId, input }: z.output<typeof createShippingMethodCheck>,
): Promise<ShippingMethod> {
  const time = now();
  const { id = slugify(input.name), name, prices } = input;
  const data = { businessId, id, name, prices, createdAt: time, updatedAt: time };
  return uniqueOr(idTaken, () =>
    once(ctx, 'createShippingMethod', { businessId, input }, ({ prisma }) =>
      prisma.shippingMethod.create({ data }),
    ),
  );
}

export function updateShippingMethod(
  ctx: Context,
  { businessId, id, version, input }: z.output<typeof updateShippingMethodCheck>,
): Promise<ShippingMethod> {
  return changeStored(ctx, {
    what: 'Shipping method',
    expected: version,
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

export const deleteShippingMethod = (
  ctx: Context,
  { businessId, id, version }: RecordAddress & { version?: number | undefined },
) =>
  deleteStored({
    what: 'Shipping method',
    id,
    expected: version,
    find: () => findShippingMethod(ctx, { businessId, id }),
    remove: (current) =>
      ctx.db.prisma.shippingMethod.deleteMany({ where: { businessId, id, version: current.version } }),
  });

const idTaken = () => taken('id', 'ID_TAKEN');
