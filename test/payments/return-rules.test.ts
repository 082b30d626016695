/** What returns tell, and what comes back by them. Pure. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { orderEvents } from '../../src/domains/orders/events.ts';
import { returnedUnits } from '../../src/domains/orders/fulfilment/line-progress.ts';
import type { Order, OrderReturn } from '../../src/domains/orders/model.ts';
import { markLinesRefunded } from '../../src/domains/orders/refunds/rules.ts';
import { planAcceptance } from '../../src/domains/orders/returns/rules.ts';

const units = (quantity: number, line = 0) => ({ line, quantity });

it('is told to the business at every turn, without what the customer wrote', () => {
  const statuses = [{ status: 'SHIPPED' }];
  const order = { lines: [], blocks: [], statuses, paymentStatus: [{ status: 'PAID' }], refunded: 0 };
  const wish = { id: 'r', lines: [units(1)], reason: 'Private', createdAt: 1 };
  const at = (status?: string) =>
    ({ ...order, returns: status ? [{ ...wish, status }] : undefined }) as unknown as Order;
  const told = (before: string | undefined, after: string) =>
    orderEvents(at(before), at(after), 'SANDBOX').map(({ type, data }) => [
      type,
      'return' in data && data.return,
    ]);
  const { reason: _, ...seen } = wish;
  expect(told(undefined, 'REQUESTED')).toEqual([
    ['order.return_requested', { ...seen, status: 'REQUESTED' }],
  ]);
  for (const status of ['ACCEPTED', 'REFUSED', 'WITHDRAWN'])
    expect(told('REQUESTED', status)).toEqual([
      [`order.return_${status.toLowerCase()}`, { ...seen, status }],
    ]);
  expect(told('ACCEPTED', 'ACCEPTED')).toEqual([]);
});

it('restocks what it says, line by line, and never more than came back', () => {
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 9 }),
    refused: fc.integer({ min: 0, max: 9 }),
    restock: fc.option(fc.boolean()),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), fc.option(fc.boolean()), (drawn, all) => {
      // Of the first line something comes back.
      const lines = drawn.map(({ quantity, refused, restock }, index) => {
        const accepted = index === 0 ? quantity : Math.max(0, quantity - refused);
        return { quantity, accepted, restock };
      });
      const order = { lines: lines.map(({ quantity }) => ({ quantity })) } as unknown as Order;
      const asked = { lines: lines.map(({ quantity }, index) => units(quantity, index)) } as OrderReturn;
      const named = lines.map(({ quantity, accepted, restock }, index) => ({
        line: index,
        quantity: accepted === quantity ? undefined : accepted,
        restock: restock ?? undefined,
      }));
      const refusal = lines.some(({ quantity, accepted }) => accepted < quantity) ? 'Worn.' : undefined;
      const plan = returnedUnits({
        lines: planAcceptance(asked, { restock: all ?? undefined, lines: named, refusal }),
      });
      const after = markLinesRefunded(
        order,
        plan,
        plan.some(({ restock }) => restock),
      );
      expect(after.map(({ refunded, restocked }) => [refunded, restocked ?? 0])).toEqual(
        lines.map(({ accepted, restock }) => [
          accepted > 0 ? accepted : undefined,
          (restock ?? all ?? true) ? accepted : 0,
        ]),
      );
    }),
  );
});
