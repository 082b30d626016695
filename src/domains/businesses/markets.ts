/** Markets of a business. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { type Market, Prisma } from '../../generated/prisma/client.ts';
import { once } from '../../idempotency.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { marketKey } from '../pricing/catalogue.ts';
import {
  changeStored,
  deleteStored,
  type ListArgs,
  listConfiguration,
  taken,
  uniqueOr,
} from '../shared/configuration.ts';
import type { createMarketCheck, updateMarketCheck } from './checks.ts';
import type { CategoryTax } from './rules.ts';

interface MarketAddress {
  businessId: string;
  code: string;
}

export const findMarket = async (
  ctx: Context,
  { businessId, code }: MarketAddress,
): Promise<Market | null> =>
  isId(businessId)
    ? ctx.db.prisma.market.findUnique({ where: { businessId_key: { businessId, key: marketKey(code) } } })
    : null;

export const listMarkets = (ctx: Context, args: ListArgs) =>
  listConfiguration<Market>(ctx, 'markets', args, 'key', ctx.db.prisma.market);

export function createMarket(
  ctx: Context,
  { businessId, input }: z.output<typeof createMarketCheck>,
): Promise<Market> {
  const time = now();
  const { taxRates, ...fields } = input;
  const data = {
    ...{ businessId, key: marketKey(input.code), ...fields, ...ratesOf(taxRates) },
    ...{ createdAt: time, updatedAt: time },
  };
  return uniqueOr(codeTaken, () =>
    once(ctx, 'createMarket', { businessId, input }, ({ prisma }) => prisma.market.create({ data })),
  );
}

export function updateMarket(
  ctx: Context,
  { businessId, code, version, input }: z.output<typeof updateMarketCheck>,
): Promise<Market> {
  return changeStored(ctx, {
    what: 'Market',
    expected: version,
    find: () => findMarket(ctx, { businessId, code }),
    change: ({ key, version: current, currency, taxBps }, stamp) =>
      ctx.db.prisma.market.updateMany({
        where: { businessId, key, version: current },
        data: {
          currency: input.currency ?? currency,
          taxBps: input.taxBps ?? taxBps,
          ...ratesOf(input.taxRates),
          ...stamp,
        },
      }),
  });
}

export const deleteMarket = (
  ctx: Context,
  { businessId, code, version }: MarketAddress & { version?: number | undefined },
) =>
  deleteStored({
    what: 'Market',
    id: code,
    expected: version,
    find: () => findMarket(ctx, { businessId, code }),
    remove: ({ key, version: current }) =>
      ctx.db.prisma.market.deleteMany({ where: { businessId, key, version: current } }),
  });

/** What is not said stays as it is; an empty list is none. */
const ratesOf = (taxRates: CategoryTax[] | undefined) =>
  taxRates && { taxRates: taxRates.length > 0 ? taxRates.map((rate) => ({ ...rate })) : Prisma.DbNull };

const codeTaken = () => taken('code', 'CODE_TAKEN');
