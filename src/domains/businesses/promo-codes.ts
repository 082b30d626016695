/** Promo codes of a business. Claims are made by checkout. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { PromoCode } from '../../generated/prisma/client.ts';
import { once } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import { parse } from '../../lib/input.ts';
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
import { type createPromoCodeCheck, type updatePromoCodeCheck, wholePromoCheck } from './promo-checks.ts';
import { promoKey } from './rules.ts';

export const findPromoCode = async (
  ctx: Context,
  { businessId, id }: RecordAddress,
): Promise<PromoCode | null> =>
  isId(businessId) && isId(id) ? ctx.db.prisma.promoCode.findFirst({ where: { businessId, id } }) : null;

export const listPromoCodes = (ctx: Context, args: ListArgs) =>
  listConfiguration<PromoCode>(ctx, 'promoCodes', args, 'id', ctx.db.prisma.promoCode);

export function createPromoCode(
  ctx: Context,
  { businessId, input }: z.output<typeof createPromoCodeCheck>,
): Promise<PromoCode> {
  const time = now();
  const data = {
    id: newId(),
    businessId,
    key: promoKey(input.code),
    ...withoutUndefined(input),
    createdAt: time,
    updatedAt: time,
  };
  return uniqueOr(codeTaken, () =>
    once(ctx, 'createPromoCode', { businessId, input }, ({ prisma }) => prisma.promoCode.create({ data })),
  );
}

export function updatePromoCode(
  ctx: Context,
  { businessId, id, version, input }: z.output<typeof updatePromoCodeCheck>,
): Promise<PromoCode> {
  return uniqueOr(codeTaken, () =>
    changeStored(ctx, {
      what: 'Promo code',
      expected: version,
      find: () => findPromoCode(ctx, { businessId, id }),
      change: (current, stamp) => {
        const whole = parse(wholePromoCheck, { ...inNumbers(current), ...withoutUndefined(input) });
        return ctx.db.prisma.promoCode.updateMany({
          where: { businessId, id, version: current.version },
          data: { ...withoutUndefined(whole), key: promoKey(whole.code), ...stamp },
        });
      },
    }),
  );
}

export const deletePromoCode = (
  ctx: Context,
  { businessId, id, version }: RecordAddress & { version?: number | undefined },
) =>
  deleteStored({
    what: 'Promo code',
    id,
    expected: version,
    find: () => findPromoCode(ctx, { businessId, id }),
    remove: (current) =>
      ctx.db.prisma.promoCode.deleteMany({ where: { businessId, id, version: current.version } }),
  });

const codeTaken = () => taken('code', 'CODE_TAKEN');

const inNumbers = (promo: PromoCode) =>
  Object.fromEntries(
    Object.entries(promo).map(([field, value]) => [field, typeof value === 'bigint' ? Number(value) : value]),
  );

type Defined<T> = { [Key in keyof T]: Exclude<T[Key], undefined> };

const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Defined<T>;
