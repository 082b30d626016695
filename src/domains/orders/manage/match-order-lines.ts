/** Matches the lines of an update with the current lines of the order, which have no ids. Pure. */
import { sumUnitsByVariant } from '../../pricing/variant-prices-and-snapshot.ts';
import type { OrderLine } from '../model.ts';
import type { OrderLineArgs } from '../schemas.ts';

/**
 * Each current line is matched at most once, with an input line of the same variant: by price and quantity, then by price, then in
 * order. When the update has fewer lines of a variant, those without a price are matched by quantity first.
 */
export function matchOrderLines(
  inputs: readonly OrderLineArgs[],
  current: readonly OrderLine[],
): Map<OrderLineArgs, OrderLine> {
  const matches = new Map<OrderLineArgs, OrderLine>();
  const unmatched = new Set(current);
  const [inputCounts, currentCounts] = [countByVariant(inputs), countByVariant(current)];
  const isFewer = ({ variantId }: OrderLine) =>
    (inputCounts.get(variantId) ?? 0) < (currentCounts.get(variantId) ?? 0);
  const matchBy = (isMatch: (input: OrderLineArgs, line: OrderLine) => boolean) => {
    for (const input of inputs) {
      if (matches.has(input)) continue;
      for (const line of unmatched) {
        if (!isSameVariant(input, line) || !isMatch(input, line)) continue;
        matches.set(input, line);
        unmatched.delete(line);
        break;
      }
    }
  };
  matchBy((input, line) => input.unitPrice === line.unitPrice && input.quantity === line.quantity);
  matchBy((input, line) => input.unitPrice === line.unitPrice);
  matchBy(
    (input, line) => input.unitPrice === undefined && input.quantity === line.quantity && isFewer(line),
  );
  matchBy(() => true);
  return matches;
}

type VariantRef = Pick<OrderLine, 'productId' | 'variantId'>;

const countByVariant = (lines: readonly VariantRef[]): Map<string, number> =>
  sumUnitsByVariant(lines.map(({ variantId }) => ({ variantId, quantity: 1 })));

export const isSameVariant = (a: VariantRef, b: VariantRef): boolean =>
  a.variantId === b.variantId && a.productId === b.productId;
