/** Releases what a cancelled order holds: stock, the use of its promo code, and open payment pages. */

import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { releasePromoClaim } from '../../businesses/promo-codes/promo-claims.ts';
import { closeOpenPaymentAttempts } from '../../payments/payment-attempts.ts';
import { moveStock } from '../../products/stock/move-stock.ts';
import { stampStatusChangeAsSystem } from '../../shared/status-history.ts';
import type { Order } from '../model.ts';
import { paymentTransitions, transitionStatusIfAllowed } from '../status-transitions.ts';
import { buildReleaseStockMoves } from './line-stock.ts';

/**
 * Requires an order locked with its stock (`lockOrder` with `withStock`) whose status has just become CANCELLED.
 * CANCELLED is final, so this runs once per order.
 */
export async function releaseCancelledOrder(
  services: Pick<Services, 'jobs'>,
  tx: QueryHandle,
  order: Order,
  userId?: string,
): Promise<Order> {
  await moveStock(tx, order.businessId, buildReleaseStockMoves(order.lines), {
    kind: 'CANCEL',
    orderId: order.id,
    userId,
  });
  if (order.promoCode !== undefined) await releasePromoClaim(tx, order.id);
  await closeOpenPaymentAttempts(services, tx, 'order', order.id);
  const lines = order.lines.map((line) => ({ ...line, restocked: line.quantity }));
  if (order.expiresAt === undefined || order.captured > 0) return { ...order, lines };
  return {
    ...order,
    lines,
    paymentStatus: transitionStatusIfAllowed(
      order.paymentStatus,
      'FAILED',
      paymentTransitions,
      stampStatusChangeAsSystem,
    ),
  };
}
