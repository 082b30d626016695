/** What the lines of an order take from stock and give back. Pure. */
import type { StockMove } from '../../products/stock/move-stock.ts';
import type { OrderLine } from '../model.ts';

type Lines = readonly OrderLine[];

/** Units that a line took, whatever became of them. Documents from before do not say: then it was all of them. */
const takenBy = ({ taken, quantity }: OrderLine): number => taken ?? quantity;

/** Units that a line took and gave back. */
const returnedBy = (line: OrderLine): number => Math.min(takenBy(line), line.restocked ?? 0);

/** Gives back all that the lines still hold. */
export const releaseStockMoves = (lines: Lines): StockMove[] =>
  lines.map((line, index) => moveOf(line, takenBy(line) - returnedBy(line), `lines.${index}`));

/** Gives back what `after` has restocked and `before`, the same lines, had not. */
export const restockMoves = (before: Lines, after: Lines): StockMove[] =>
  after.map((line, index) => {
    const earlier = before[index];
    return moveOf(line, returnedBy(line) - (earlier ? returnedBy(earlier) : 0), `lines.${index}`);
  });

/**
 * Takes or returns the difference between the lines, by variant; no more comes back than was taken. A shortage is reported
 * under the numbers of the new lines.
 */
export function stockMovesBetween(
  before: Lines,
  after: Lines,
  field: 'lines' | 'items' = 'lines',
): StockMove[] {
  const change = changesBetween(before, after);
  const takes = ({ variantId }: OrderLine) => (change.get(variantId)?.grows ?? 0) > 0;
  const returns = new Map(before.map((line) => [line.variantId, line]));
  return [
    ...after.flatMap((line, index) =>
      takes(line) ? [moveOf(line, -line.quantity, `${field}.${index}`)] : [],
    ),
    ...before.flatMap((line) => (takes(line) ? [moveOf(line, line.quantity, field)] : [])),
    ...[...returns].flatMap(([variantId, line]) => {
      const { grows = 0, taken = 0 } = change.get(variantId) ?? {};
      return grows < 0 ? [moveOf(line, Math.min(-grows, taken), field)] : [];
    }),
  ];
}

/** The new lines with what they hold, once stock has moved; `moved` are the variants whose stock did. */
export function withTakenUnits(before: Lines, after: Lines, moved: ReadonlySet<string>): OrderLine[] {
  const left = new Map<string, number>();
  for (const [variantId, { grows, taken }] of changesBetween(before, after)) {
    left.set(variantId, grows > 0 && !moved.has(variantId) ? taken : Math.max(0, taken + grows));
  }
  return after.map((line) => {
    const units = Math.min(line.quantity, left.get(line.variantId) ?? 0);
    left.set(line.variantId, (left.get(line.variantId) ?? 0) - units);
    return { ...line, taken: units };
  });
}

/** By variant: how many units more the new lines have, and how many the old ones took. */
function changesBetween(before: Lines, after: Lines): Map<string, { grows: number; taken: number }> {
  const changes = new Map<string, { grows: number; taken: number }>();
  const add = (variantId: string, grows: number, taken: number) => {
    const sum = changes.get(variantId) ?? { grows: 0, taken: 0 };
    changes.set(variantId, { grows: sum.grows + grows, taken: sum.taken + taken });
  };
  for (const line of before) add(line.variantId, -line.quantity, takenBy(line));
  for (const line of after) add(line.variantId, line.quantity, 0);
  return changes;
}

const moveOf = ({ productId, variantId }: OrderLine, delta: number, field: string): StockMove => ({
  productId,
  variantId,
  delta,
  field,
});
