/** Creates, reads, updates and deletes the promo codes of a business. Checkout claims their uses (promo-claims.ts). */
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { PromoCode } from '../../../generated/prisma/client.ts';
import { isId, newId } from '../../../lib/ids.ts';
import type { DeleteRecordArgs } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import { toPromoCodeKey } from '../../pricing/promo-code-eligibility.ts';
import {
  alreadyTakenError,
  type ConfigurationListArgs,
  type ConfigurationRecordRef,
  createConfigurationRecord,
  deleteConfigurationRecord,
  listConfigurationRecords,
  rethrowUniqueViolationAs,
  updateConfigurationRecord,
} from '../../shared/manage-configuration-records.ts';
import { type createPromoCodeSchema, storedPromoCodeSchema, type updatePromoCodeSchema } from './schemas.ts';

export const findPromoCode = async (
  ctx: Context,
  { businessId, id }: ConfigurationRecordRef,
): Promise<PromoCode | null> =>
  isId(businessId) && isId(id) ? ctx.db.prisma.promoCode.findFirst({ where: { businessId, id } }) : null;

export const listPromoCodes = (ctx: Context, args: ConfigurationListArgs) =>
  listConfigurationRecords<PromoCode>(ctx, 'promoCodes', args, 'id', ctx.db.prisma.promoCode);

export function createPromoCode(
  ctx: Context,
  { businessId, input }: z.output<typeof createPromoCodeSchema>,
): Promise<PromoCode> {
  const time = now();
  const data = {
    id: newId(),
    businessId,
    key: toPromoCodeKey(input.code),
    ...withoutUndefined(input),
    createdAt: time,
    updatedAt: time,
  };
  return createConfigurationRecord(
    ctx,
    { operation: 'createPromoCode', table: 'promo_codes', onConflict: codeTaken, businessId, input },
    ({ prisma }) => prisma.promoCode.create({ data }),
  );
}

export function updatePromoCode(
  ctx: Context,
  { businessId, id, version, input }: z.output<typeof updatePromoCodeSchema>,
): Promise<PromoCode> {
  return rethrowUniqueViolationAs(codeTaken, () =>
    updateConfigurationRecord(ctx, {
      recordName: 'Promo code',
      expectedVersion: version,
      find: () => findPromoCode(ctx, { businessId, id }),
      change: (current, stamp) => {
        const updated = parseInput(storedPromoCodeSchema, {
          ...bigintsToNumbers(current),
          ...withoutUndefined(input),
        });
        return ctx.db.prisma.promoCode.updateMany({
          where: { businessId, id, version: current.version },
          data: { ...withoutUndefined(updated), key: toPromoCodeKey(updated.code), ...stamp },
        });
      },
    }),
  );
}

export const deletePromoCode = (ctx: Context, { businessId, id, version }: DeleteRecordArgs) =>
  deleteConfigurationRecord({
    recordName: 'Promo code',
    id,
    expectedVersion: version,
    find: () => findPromoCode(ctx, { businessId, id }),
    remove: (current) =>
      ctx.db.prisma.promoCode.deleteMany({ where: { businessId, id, version: current.version } }),
  });

const codeTaken = () => alreadyTakenError('code', 'CODE_TAKEN');

const bigintsToNumbers = (promo: PromoCode) =>
  Object.fromEntries(
    Object.entries(promo).map(([field, value]) => [field, typeof value === 'bigint' ? Number(value) : value]),
  );

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Defined<T>;
