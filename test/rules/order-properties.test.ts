/** Property tests of orders: refunds add up to the price, and stock movements cancel out. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  buildReleaseStockMoves,
  buildStockMovesBetween,
  setTakenUnits,
} from '../../src/domains/orders/manage/line-stock-moves.ts';
import { computeRefundValue } from '../../src/domains/orders/refunds/refund-rules.ts';
import { line, order } from './setup.ts';

it('refunds of single units add up to the price of the line', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(500), fc.nat(500), (quantity, discount, tax) => {
      const orderLine = line('a', quantity, { discount: Math.min(discount, 100 * quantity), tax });
      const parts = Array.from({ length: quantity }, (_, refunded) =>
        computeRefundValue(order({ lines: [{ ...orderLine, refunded }] }), [{ line: 0, quantity: 1 }]),
      );
      const sum = parts.reduce((total, part) => total + part, 0);
      expect(sum).toBe(orderLine.totalPrice - orderLine.discount + orderLine.tax);
    }),
  );
});

it('stock movements cancel out after lines were edited and released', () => {
  const lines = fc.array(
    fc.record({ variant: fc.constantFrom('a', 'b'), quantity: fc.integer({ min: 1, max: 5 }) }),
    { maxLength: 3 },
  );
  const toLines = (input: { variant: string; quantity: number }[]) =>
    input.map(({ variant, quantity }) => line(variant, quantity));
  fc.assert(
    fc.property(lines, lines, (first, second) => {
      const before = setTakenUnits([], toLines(first), new Set(['a', 'b']));
      const moves = [
        ...buildStockMovesBetween([], before),
        ...buildStockMovesBetween(before, toLines(second)),
      ];
      const after = setTakenUnits(before, toLines(second), new Set(['a', 'b']));
      const sum = [...moves, ...buildReleaseStockMoves(after)].reduce((total, { delta }) => total + delta, 0);
      expect(sum).toBe(0);
    }),
  );
});
