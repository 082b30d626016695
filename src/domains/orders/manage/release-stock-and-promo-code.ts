/** Releases what a cancelled order holds: stock and the use of its promo code. `saveOrder` closes its payment pages. */
import type { QueryHandle } from '../../../db/index.ts';
import { releasePromoClaim } from '../../businesses/promo-codes/promo-claims.ts';
import { addStock } from '../../products/stock/move-stock.ts';
import { buildSystemStatusHistoryEntry } from '../../shared/status-history.ts';
import type { Order } from '../model.ts';
import { paymentTransitions, transitionStatusIfAllowed } from '../status-transitions.ts';
import { buildReleaseStockMoves } from './line-stock-moves.ts';

/**
 * Requires an order locked with its stock (`lockOrder` with `withStock`) whose status has just become CANCELLED.
 * CANCELLED is final, so this runs once per order.
 */
export async function releaseStockAndPromoCode(
  tx: QueryHandle,
  order: Order,
  userId?: string,
): Promise<Order> {
  await addStock(tx, order.businessId, buildReleaseStockMoves(order.lines), {
    kind: 'CANCEL',
    orderId: order.id,
    userId,
  });
  if (order.promoCode !== undefined) await releasePromoClaim(tx, order.id);
  const lines = order.lines.map((line) => ({ ...line, restocked: line.quantity }));
  if (order.expiresAt === undefined || order.captured > 0) return { ...order, lines };
  return {
    ...order,
    lines,
    paymentStatus: transitionStatusIfAllowed(
      order.paymentStatus,
      'FAILED',
      paymentTransitions,
      buildSystemStatusHistoryEntry,
    ),
  };
}
