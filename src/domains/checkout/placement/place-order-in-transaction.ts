/** Places an order in a transaction, step by step: stock, payment attempt, promo code, order number. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { validationErrorFrom } from '../../../errors.ts';
import { claimPromoCode, lockPromoCode } from '../../businesses/promo-codes/promo-claims.ts';
import { enforceFreeOrderConfirmationLimits } from '../../orders/mail/contact-mail-limits.ts';
import { queueOrderConfirmationMail } from '../../orders/mail/queue-order-mails.ts';
import { insertOrder } from '../../orders/manage/insert-save-and-delete-order.ts';
import { buildStockMovesBetween, setTakenUnits } from '../../orders/manage/line-stock-moves.ts';
import { reportLowStock } from '../../orders/manage/report-low-stock.ts';
import { unpaidOrderLimitError } from '../../orders/manage/unpaid-order-limit.ts';
import { loadPayerEmail, type PayableOrder } from '../../orders/payment/open-payment-session.ts';
import { insertPaymentAttempt } from '../../payments/stored-payment-attempts.ts';
import { toPromoCodeErrorDetail } from '../../pricing/promo-code-eligibility.ts';
import { moveStock } from '../../products/stock/move-stock.ts';
import { maxCustomerRecordBytes } from '../../shared/record-size-limits.ts';
import { buildUnsavedOrder, type OrderRequest } from './build-unsaved-order.ts';

export async function placeOrderInTransaction(
  ctx: Context,
  tx: QueryHandle,
  request: OrderRequest,
): Promise<PayableOrder> {
  const { order: draft, attempt, cart } = await buildUnsavedOrder(ctx, tx, request);
  await enforceFreeOrderConfirmationLimits(ctx, draft);
  // Lock order, the same in all transactions: products, promo code, order number.
  const moves = buildStockMovesBetween([], draft.lines, request.field);
  const { low, variants } = await moveStock(tx, draft.businessId, moves, {
    kind: 'ORDER',
    orderId: draft.id,
    userId: draft.customerId,
  });
  await reportLowStock(ctx, tx, draft.businessId, low);
  if (attempt) await insertPaymentAttempt(tx, attempt);
  if (cart.promo && !(await lockPromoCode(tx, cart.promo.id)))
    throw validationErrorFrom([toPromoCodeErrorDetail('PROMO_CODE_INVALID')]);
  const reserved = { ...draft, lines: setTakenUnits([], draft.lines, variants) };
  const { order, limitResetAt } = await insertOrder(ctx, tx, reserved, { maxBytes: maxCustomerRecordBytes });
  if (limitResetAt !== undefined) throw unpaidOrderLimitError(ctx, limitResetAt);
  if (cart.promo && !(await claimPromoCode(tx, cart.promo.id, order.id, order.customerId)))
    throw validationErrorFrom([toPromoCodeErrorDetail('PROMO_CODE_EXHAUSTED')]);
  if (order.total === 0) await queueOrderConfirmationMail(ctx, tx, order);
  const customerEmail = attempt && (await loadPayerEmail(ctx, tx, order));
  return { order, attempt, merchant: cart.businessName, customerEmail };
}
