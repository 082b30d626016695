/** What a cancelled order gives back: stock, promo code, and the page its customer could still pay on. */

import { z } from 'zod';
import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { defineJob } from '../../ports/jobs.ts';
import { releasePromo } from '../businesses/promo-claims.ts';
import { moveStock } from '../products/move-stock.ts';
import { systemStamp } from '../shared/history.ts';
import { movesOf } from './lines.ts';
import type { Order } from './model.ts';
import { moveIfAllowed, paymentMoves } from './transitions.ts';

/** What payments of an order are called at the payment provider. */
export const referenceOf = (orderId: string): string => `order:${orderId}`;

export const closeSessionJob = defineJob(
  'close-payment-session',
  z.object({ reference: z.string(), id: z.string().optional() }),
  ({ payments }: Pick<Services, 'payments'>, session) => payments.expireSession(session),
  { retries: 10 },
);

/** For an order locked with its stock, whose history has just come to CANCELLED: that happens once. */
export async function giveBack({ jobs }: Pick<Services, 'jobs'>, tx: Queries, order: Order): Promise<Order> {
  await moveStock(tx, order.businessId, movesOf(order.lines, 'return'));
  if (order.promoCode !== undefined) await releasePromo(tx, order.id);
  const lines = order.lines.map((line) => ({ ...line, restocked: line.quantity }));
  if (order.expiresAt === undefined || order.captured > 0) return { ...order, lines };
  await jobs.enqueue(tx, closeSessionJob, {
    reference: referenceOf(order.id),
    id: order.paymentSessionId,
  });
  return {
    ...order,
    lines,
    paymentStatus: moveIfAllowed(order.paymentStatus, 'FAILED', paymentMoves, systemStamp),
  };
}
