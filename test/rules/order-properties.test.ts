/** What holds for any order: money and stock go out and come back to the last unit. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  releaseStockMoves,
  stockMovesBetween,
  withTakenUnits,
} from '../../src/domains/orders/manage/line-stock.ts';
import { computeRefundValue } from '../../src/domains/orders/refunds/rules.ts';
import { line, order } from './setup.ts';

it('refunds of units one by one make what the line has cost', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(500), fc.nat(500), (quantity, discount, tax) => {
      const given = line('a', quantity, { discount: Math.min(discount, 100 * quantity), tax });
      const parts = Array.from({ length: quantity }, (_, refunded) =>
        computeRefundValue(order({ lines: [{ ...given, refunded }] }), [{ line: 0, quantity: 1 }]),
      );
      const sum = parts.reduce((total, part) => total + part, 0);
      expect(sum).toBe(given.totalPrice - given.discount + given.tax);
    }),
  );
});

it('stock is as it was once lines have changed and are given back', () => {
  const lines = fc.array(
    fc.record({ variant: fc.constantFrom('a', 'b'), quantity: fc.integer({ min: 1, max: 5 }) }),
    { maxLength: 3 },
  );
  const made = (given: { variant: string; quantity: number }[]) =>
    given.map(({ variant, quantity }) => line(variant, quantity));
  fc.assert(
    fc.property(lines, lines, (first, second) => {
      const before = withTakenUnits([], made(first), new Set(['a', 'b']));
      const moves = [...stockMovesBetween([], before), ...stockMovesBetween(before, made(second))];
      const after = withTakenUnits(before, made(second), new Set(['a', 'b']));
      const sum = [...moves, ...releaseStockMoves(after)].reduce((total, { delta }) => total + delta, 0);
      expect(sum).toBe(0);
    }),
  );
});
