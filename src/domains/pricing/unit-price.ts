/** Which price of a variant counts: the lowest that applies, and what makes it apply. Pure. */
import type { MarketPrice } from '../products/model.ts';

/** What makes a piece cost less than its plain price. */
export type PriceRule =
  | { kind: 'SALE'; endsAt?: number | undefined }
  | { kind: 'TIER'; minQuantity: number }
  | { kind: 'GROUP'; group: string };

export interface UnitPrice {
  /** Before anything applies. */
  plainPrice: number;
  unitPrice: number;
  /** Absent when nothing makes it cost less. */
  rule?: PriceRule | undefined;
}

export interface UnitPriceContext {
  /** Pieces of the variant in the whole order. */
  quantity: number;
  now: number;
  /** Names of the groups that the customer is in, by id; at least of those that the price is for. */
  groups?: ReadonlyMap<string, string> | undefined;
}

/** Never more than the plain price. Of two rules that make it equally cheap, the one that holds for more people counts. */
export function computeUnitPrice(price: MarketPrice, at: UnitPriceContext): UnitPrice {
  let best: UnitPrice = { plainPrice: price.price, unitPrice: price.price };
  for (const { amount, rule } of offersOf(price, at))
    if (amount < best.unitPrice) best = { ...best, unitPrice: amount, rule };
  return best;
}

interface Offer {
  amount: number;
  rule: PriceRule;
}

/** All that apply, those for everybody first. */
function* offersOf(
  { sale, tiers = [], groupPrices = [] }: MarketPrice,
  { quantity, now, groups }: UnitPriceContext,
): Generator<Offer> {
  if (sale && isOn(sale, now)) yield { amount: sale.amount, rule: { kind: 'SALE', endsAt: sale.endsAt } };
  for (const { minQuantity, amount } of tiers)
    if (quantity >= minQuantity) yield { amount, rule: { kind: 'TIER', minQuantity } };
  for (const { groupId, amount } of groupPrices) {
    const group = groups?.get(groupId);
    if (group !== undefined) yield { amount, rule: { kind: 'GROUP', group } };
  }
}

/** From its first second to the one before its end. */
const isOn = ({ startsAt, endsAt }: NonNullable<MarketPrice['sale']>, now: number): boolean =>
  (startsAt === undefined || startsAt <= now) && (endsAt === undefined || now < endsAt);
