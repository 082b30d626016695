/** Creates, reads, updates and deletes the markets of a business. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { type Market, Prisma } from '../../generated/prisma/client.ts';
import { isId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { normalizeMarketCode } from '../pricing/variant-prices-and-snapshot.ts';
import {
  alreadyTakenError,
  type ConfigurationListArgs,
  createConfigurationRecord,
  deleteConfigurationRecord,
  listConfigurationRecords,
  updateConfigurationRecord,
} from '../shared/manage-configuration-records.ts';
import { replaceMarketShippingPrices } from './replace-market-shipping-prices.ts';
import type { createMarketSchema, updateMarketSchema } from './schemas.ts';
import type { CategoryTax } from './shipping-price-and-category-tax.ts';

interface MarketAddress {
  businessId: string;
  code: string;
}

export const findMarket = async (
  ctx: Context,
  { businessId, code }: MarketAddress,
): Promise<Market | null> =>
  isId(businessId)
    ? ctx.db.prisma.market.findUnique({
        where: { businessId_key: { businessId, key: normalizeMarketCode(code) } },
      })
    : null;

export const listMarkets = (ctx: Context, args: ConfigurationListArgs) =>
  listConfigurationRecords<Market>(ctx, 'markets', args, 'key', ctx.db.prisma.market);

export function createMarket(
  ctx: Context,
  { businessId, input }: z.output<typeof createMarketSchema>,
): Promise<Market> {
  const time = now();
  const { taxRates, ...fields } = input;
  const data = {
    ...{ businessId, key: normalizeMarketCode(input.code), ...fields, ...taxRatesData(taxRates) },
    ...{ createdAt: time, updatedAt: time },
  };
  return createConfigurationRecord(
    ctx,
    { operation: 'createMarket', table: 'markets', onConflict: codeTaken, businessId, input },
    ({ prisma }) => prisma.market.create({ data }),
  );
}

export function updateMarket(
  ctx: Context,
  { businessId, code, version, input }: z.output<typeof updateMarketSchema>,
): Promise<Market> {
  return updateConfigurationRecord(ctx, {
    recordName: 'Market',
    expectedVersion: version,
    find: () => findMarket(ctx, { businessId, code }),
    change: (market, stamp) =>
      ctx.db.transaction(async (tx) => {
        const { key, version: current, taxBps } = market;
        const currency = input.currency ?? market.currency;
        const changed = await tx.prisma.market.updateMany({
          where: { businessId, key, version: current },
          data: { currency, taxBps: input.taxBps ?? taxBps, ...taxRatesData(input.taxRates), ...stamp },
        });
        if (changed.count > 0)
          await replaceMarketShippingPrices(tx, market, currency, input.shippingPrices ?? []);
        return changed;
      }),
  });
}

export const deleteMarket = (
  ctx: Context,
  { businessId, code, version }: MarketAddress & { version?: number | null | undefined },
) =>
  deleteConfigurationRecord({
    recordName: 'Market',
    id: code,
    expectedVersion: version,
    find: () => findMarket(ctx, { businessId, code }),
    remove: ({ key, version: current }) =>
      ctx.db.prisma.market.deleteMany({ where: { businessId, key, version: current } }),
  });

/** Absent rates stay unchanged; an empty list is stored as null. */
const taxRatesData = (taxRates: CategoryTax[] | undefined) =>
  taxRates && { taxRates: taxRates.length > 0 ? taxRates.map((rate) => ({ ...rate })) : Prisma.DbNull };

const codeTaken = () => alreadyTakenError('code', 'CODE_TAKEN');
