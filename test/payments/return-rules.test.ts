/** Rules of order returns: webhook events and restocked units. Pure. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { buildOrderEvents } from '../../src/domains/orders/build-events.ts';
import { listUnitsOfReturn } from '../../src/domains/orders/fulfilment/fulfilment-progress-by-line.ts';
import type { Order, OrderReturn } from '../../src/domains/orders/model.ts';
import { addRefundedUnits } from '../../src/domains/orders/refunds/refund-rules.ts';
import { planReturnAcceptance } from '../../src/domains/orders/returns/return-rules.ts';

const units = (quantity: number, line = 0) => ({ line, quantity });

it('emits an event for every status of a return, without the reason of the customer', () => {
  const statuses = [{ status: 'SHIPPED' }];
  const order = { lines: [], blocks: [], statuses, paymentStatus: [{ status: 'PAID' }], refunded: 0 };
  const orderReturn = { id: 'r', lines: [units(1)], reason: 'Private', createdAt: 1 };
  const orderWith = (status?: string) =>
    ({ ...order, returns: status ? [{ ...orderReturn, status }] : undefined }) as unknown as Order;
  const emitted = (before: string | undefined, after: string) =>
    buildOrderEvents(orderWith(before), orderWith(after), 'SANDBOX').map(({ type, data }) => [
      type,
      'return' in data && data.return,
    ]);
  const { reason: _, ...eventReturn } = orderReturn;
  expect(emitted(undefined, 'REQUESTED')).toEqual([
    ['order.return_requested', { ...eventReturn, status: 'REQUESTED' }],
  ]);
  for (const status of ['ACCEPTED', 'REFUSED', 'WITHDRAWN'])
    expect(emitted('REQUESTED', status)).toEqual([
      [`order.return_${status.toLowerCase()}`, { ...eventReturn, status }],
    ]);
  expect(emitted('ACCEPTED', 'ACCEPTED')).toEqual([]);
});

it('restocks per line as requested, and never more than the accepted units', () => {
  const line = fc.record({
    quantity: fc.integer({ min: 1, max: 9 }),
    refused: fc.integer({ min: 0, max: 9 }),
    restock: fc.option(fc.boolean()),
  });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), fc.option(fc.boolean()), (generated, all) => {
      // At least one unit of the first line is accepted.
      const lines = generated.map(({ quantity, refused, restock }, index) => {
        const accepted = index === 0 ? quantity : Math.max(0, quantity - refused);
        return { quantity, accepted, restock };
      });
      const order = { lines: lines.map(({ quantity }) => ({ quantity })) } as unknown as Order;
      const requested = { lines: lines.map(({ quantity }, index) => units(quantity, index)) } as OrderReturn;
      const acceptedLines = lines.map(({ quantity, accepted, restock }, index) => ({
        line: index,
        quantity: accepted === quantity ? undefined : accepted,
        restock: restock ?? undefined,
      }));
      const refusal = lines.some(({ quantity, accepted }) => accepted < quantity) ? 'Worn.' : undefined;
      const plan = listUnitsOfReturn({
        lines: planReturnAcceptance(requested, { restock: all ?? undefined, lines: acceptedLines, refusal }),
      });
      const after = addRefundedUnits(
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
