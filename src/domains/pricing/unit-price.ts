/** Unit price of a variant: the lowest applicable price and the rule behind it. Pure. */
import { toPayableAmount } from '../../lib/commerce/round-to-payable-amount.ts';
import type { MarketPrice } from '../products/model.ts';

/** Rule that reduces the list price. */
export type PriceRule =
  | { kind: 'SALE'; endsAt?: number | undefined }
  | { kind: 'TIER'; minQuantity: number }
  | { kind: 'GROUP'; group: string };

interface UnitPrice {
  /** Price without any rule, in minor units. */
  listPrice: number;
  unitPrice: number;
  /** Undefined when the list price applies. */
  rule?: PriceRule | undefined;
}

interface UnitPriceContext {
  /** Units of the variant in the whole order. */
  quantity: number;
  now: number;
  /** Names of the customer's groups by group id; must include those that have a group price. */
  groups?: ReadonlyMap<string, string> | undefined;
}

/**
 * Never above the list price. Among equal prices the more general rule wins: sale, then tier, then group. Prices that cannot be paid in
 * their currency are rounded.
 */
export function computeUnitPrice(price: MarketPrice, context: UnitPriceContext): UnitPrice {
  let best: UnitPrice = { listPrice: price.price, unitPrice: price.price };
  for (const { amount, rule } of applicableOffers(price, context))
    if (amount < best.unitPrice) best = { ...best, unitPrice: amount, rule };
  const { listPrice, unitPrice } = best;
  return {
    ...best,
    listPrice: toPayableAmount(listPrice, price.currency),
    unitPrice: toPayableAmount(unitPrice, price.currency),
  };
}

interface Offer {
  amount: number;
  rule: PriceRule;
}

/** All applicable prices, most general first. */
function* applicableOffers(
  { sale, tiers = [], groupPrices = [] }: MarketPrice,
  { quantity, now, groups }: UnitPriceContext,
): Generator<Offer> {
  if (sale && isSaleActive(sale, now))
    yield { amount: sale.amount, rule: { kind: 'SALE', endsAt: sale.endsAt } };
  for (const { minQuantity, amount } of tiers)
    if (quantity >= minQuantity) yield { amount, rule: { kind: 'TIER', minQuantity } };
  for (const { groupId, amount } of groupPrices) {
    const group = groups?.get(groupId);
    if (group !== undefined) yield { amount, rule: { kind: 'GROUP', group } };
  }
}

/** `startsAt` is inclusive, `endsAt` exclusive. */
const isSaleActive = ({ startsAt, endsAt }: NonNullable<MarketPrice['sale']>, now: number): boolean =>
  (startsAt === undefined || startsAt <= now) && (endsAt === undefined || now < endsAt);
