/** Stock movements of order lines: reserve, release, restock and edit. Pure. */
import type { StockMove } from '../../products/stock/move-stock.ts';
import type { OrderLine } from '../model.ts';

type Lines = readonly OrderLine[];

/** Units that the line took from tracked stock. Records older than the `taken` field took all units. */
const takenUnits = ({ taken, quantity }: OrderLine): number => taken ?? quantity;

/** Units taken from stock that were restocked since. */
const restockedUnits = (line: OrderLine): number => Math.min(takenUnits(line), line.restocked ?? 0);

/** Moves that return all units which the lines still hold, such as on cancellation. */
export const buildReleaseStockMoves = (lines: Lines): StockMove[] =>
  lines.map((line, index) => toMove(line, takenUnits(line) - restockedUnits(line), `lines.${index}`));

/** Moves for the units marked as restocked in `after` but not in `before`; both are versions of the same lines. */
export const buildRestockMoves = (before: Lines, after: Lines): StockMove[] =>
  after.map((line, index) => {
    const earlier = before[index];
    return toMove(line, restockedUnits(line) - (earlier ? restockedUnits(earlier) : 0), `lines.${index}`);
  });

/**
 * Moves for the difference between two sets of lines, per variant. Never returns more units than were taken.
 * An out-of-stock error refers to the index of the new line (`lines.0`).
 */
export function buildStockMovesBetween(
  before: Lines,
  after: Lines,
  field: 'lines' | 'items' = 'lines',
): StockMove[] {
  const changes = changesBetween(before, after);
  const isGrowing = ({ variantId }: OrderLine) => (changes.get(variantId)?.delta ?? 0) > 0;
  const linesBefore = new Map(before.map((line) => [line.variantId, line]));
  return [
    ...after.flatMap((line, index) =>
      isGrowing(line) ? [toMove(line, -line.quantity, `${field}.${index}`)] : [],
    ),
    ...before.flatMap((line) => (isGrowing(line) ? [toMove(line, line.quantity, field)] : [])),
    ...[...linesBefore].flatMap(([variantId, line]) => {
      const { delta = 0, taken = 0 } = changes.get(variantId) ?? {};
      return delta < 0 ? [toMove(line, Math.min(-delta, taken), field)] : [];
    }),
  ];
}

/** Sets `taken` of the new lines after the stock movement. `moved`: ids of the variants with tracked stock, which did move. */
export function setTakenUnits(before: Lines, after: Lines, moved: ReadonlySet<string>): OrderLine[] {
  const remaining = new Map<string, number>();
  for (const [variantId, { delta, taken }] of changesBetween(before, after)) {
    remaining.set(variantId, delta > 0 && !moved.has(variantId) ? taken : Math.max(0, taken + delta));
  }
  return after.map((line) => {
    const units = Math.min(line.quantity, remaining.get(line.variantId) ?? 0);
    remaining.set(line.variantId, (remaining.get(line.variantId) ?? 0) - units);
    return { ...line, taken: units };
  });
}

/** Per variant id: the change in quantity (`delta`), and the units that the old lines took. */
function changesBetween(before: Lines, after: Lines): Map<string, { delta: number; taken: number }> {
  const changes = new Map<string, { delta: number; taken: number }>();
  const add = (variantId: string, delta: number, taken: number) => {
    const sum = changes.get(variantId) ?? { delta: 0, taken: 0 };
    changes.set(variantId, { delta: sum.delta + delta, taken: sum.taken + taken });
  };
  for (const line of before) add(line.variantId, -line.quantity, takenUnits(line));
  for (const line of after) add(line.variantId, line.quantity, 0);
  return changes;
}

const toMove = ({ productId, variantId }: OrderLine, delta: number, field: string): StockMove => ({
  productId,
  variantId,
  delta,
  field,
});
