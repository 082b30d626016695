/** Replaces the shipping prices of a market; with another currency no promo code may have a minimum subtotal. */
import type { QueryHandle } from '../../db/index.ts';
import { AppError, type ErrorDetail, validationErrorFrom } from '../../errors.ts';
import type { Market, ShippingMethod } from '../../generated/prisma/client.ts';
import { now } from '../../lib/time.ts';
import { normalizeMarketCode } from '../pricing/variant-prices-and-snapshot.ts';
import type { ShippingPrice } from './shipping-price-and-category-tax.ts';

/** New price of a shipping method in one market. */
interface MarketShippingPrice {
  shippingMethodId: string;
  price: number;
  freeAbove?: number | undefined;
}

/**
 * Stores the new shipping prices of a market. With another currency, every existing price must be replaced, and no promo code may have a
 * minimum subtotal in any currency: such a number would mean another amount.
 */
export async function replaceMarketShippingPrices(
  tx: QueryHandle,
  market: Market,
  currency: string,
  prices: readonly MarketShippingPrice[],
): Promise<void> {
  const isSameCurrency = currency === market.currency;
  if (isSameCurrency && prices.length === 0) return;
  const { businessId } = market;
  const methods = await tx.prisma.shippingMethod.findMany({ where: { businessId }, orderBy: { id: 'asc' } });
  const errors = [
    ...unknownMethodErrors(methods, prices),
    ...(isSameCurrency ? [] : missingPriceErrors(methods, market, currency, prices)),
    ...(isSameCurrency ? [] : await minSubtotalErrors(tx, market)),
  ];
  if (errors.length > 0) throw validationErrorFrom(errors);
  for (const method of methods) {
    const price = prices.find(({ shippingMethodId }) => shippingMethodId === method.id);
    if (price) await storePrice(tx, method, market, price);
  }
}

const pricesOf = ({ prices }: ShippingMethod) => prices as unknown as ShippingPrice[];

const isIn = (market: Market) => (price: ShippingPrice) => normalizeMarketCode(price.marketId) === market.key;

const unknownMethodErrors = (
  methods: readonly ShippingMethod[],
  prices: readonly MarketShippingPrice[],
): ErrorDetail[] =>
  prices.flatMap(({ shippingMethodId }, index) =>
    methods.some(({ id }) => id === shippingMethodId)
      ? []
      : [
          {
            field: `shippingPrices.${index}.shippingMethodId`,
            error: 'SHIPPING_METHOD_NOT_FOUND',
            message: 'There is no such shipping method.',
          },
        ],
  );

const missingPriceErrors = (
  methods: readonly ShippingMethod[],
  market: Market,
  currency: string,
  prices: readonly MarketShippingPrice[],
): ErrorDetail[] =>
  methods.flatMap((method): ErrorDetail[] =>
    pricesOf(method).some(isIn(market)) &&
    !prices.some(({ shippingMethodId }) => shippingMethodId === method.id)
      ? [
          {
            field: 'shippingPrices',
            error: 'REQUIRED',
            message: `Price and freeAbove of shipping method ${method.id} are in ${market.currency}: send them in ${currency}.`,
          },
        ]
      : [],
  );

/** FIXED codes have a currency of their own and never apply in another one. */
async function minSubtotalErrors(tx: QueryHandle, { businessId, currency }: Market): Promise<ErrorDetail[]> {
  const codes = await tx.prisma.promoCode.findMany({
    where: {
      businessId,
      type: { not: 'FIXED' },
      minSubtotal: { gt: 0 },
      OR: [{ endsAt: null }, { endsAt: { gt: now() } }],
    },
    orderBy: { id: 'asc' },
    take: 100,
  });
  return codes.map(({ code }) => ({
    field: 'currency',
    error: 'CURRENCY_IN_USE',
    message: `The minSubtotal of promo code ${code} may be in ${currency}: end the code or remove its minSubtotal first.`,
  }));
}

async function storePrice(
  tx: QueryHandle,
  method: ShippingMethod,
  market: Market,
  { price, freeAbove }: MarketShippingPrice,
): Promise<void> {
  const { businessId, id, version } = method;
  const before = pricesOf(method);
  const marketId = before.find(isIn(market))?.marketId ?? market.code;
  const newPrice = { marketId, price, ...(freeAbove === undefined ? {} : { freeAbove }) };
  const prices = before.some(isIn(market))
    ? before.map((existing) => (isIn(market)(existing) ? newPrice : existing))
    : [...before, newPrice];
  const { count } = await tx.prisma.shippingMethod.updateMany({
    where: { businessId, id, version },
    data: {
      prices: prices.map((entry) => ({ ...entry })),
      version: tx.nextVersion(version),
      updatedAt: now(),
    },
  });
  if (count === 0)
    throw new AppError('CONFLICT', `Shipping method ${id} was changed at the same time, try again.`);
}
