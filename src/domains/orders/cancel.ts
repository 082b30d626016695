/** What a cancelled order gives back: stock, promo code, and the page its customer could still pay on. */

import type { Services } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { releasePromo } from '../businesses/promo-claims.ts';
import { closeAttempts } from '../payments/attempts.ts';
import { moveStock } from '../products/move-stock.ts';
import { systemStamp } from '../shared/history.ts';
import { returningMoves } from './line-stock.ts';
import type { Order } from './model.ts';
import { moveIfAllowed, paymentMoves } from './transitions.ts';

/** For an order locked with its stock, whose history has just come to CANCELLED: that happens once. */
export async function giveBack(
  services: Pick<Services, 'jobs'>,
  tx: Queries,
  order: Order,
  userId?: string,
): Promise<Order> {
  await moveStock(tx, order.businessId, returningMoves(order.lines), {
    kind: 'CANCEL',
    orderId: order.id,
    userId,
  });
  if (order.promoCode !== undefined) await releasePromo(tx, order.id);
  await closeAttempts(services, tx, 'order', order.id);
  const lines = order.lines.map((line) => ({ ...line, restocked: line.quantity }));
  if (order.expiresAt === undefined || order.captured > 0) return { ...order, lines };
  return {
    ...order,
    lines,
    paymentStatus: moveIfAllowed(order.paymentStatus, 'FAILED', paymentMoves, systemStamp),
  };
}
