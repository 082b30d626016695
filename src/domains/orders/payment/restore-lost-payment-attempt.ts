/** Recreates the payment attempt of an order that the database lost, such as after a restore to an earlier point, when its payment arrives. */
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import type { PaymentEvent } from '../../../ports/payments.ts';
import {
  buildPaymentAttempt,
  findOpenPaymentAttempt,
  insertPaymentAttempt,
} from '../../payments/stored-payment-attempts.ts';
import type { Order } from '../model.ts';
import { computeAmountDue } from './amount-due.ts';

/**
 * The attempt accepts the amount that is due now. It is CLOSED, so that the payment is refunded, if nothing is due or if another page was
 * opened since. False for events other than payments. The order is locked.
 */
export async function restoreLostPaymentAttempt(
  tx: QueryHandle,
  order: Order,
  { type, reference, sessionId, amount }: PaymentEvent,
): Promise<boolean> {
  if (type !== 'paid' || reference === undefined || amount === undefined) return false;
  const due = computeAmountDue(order);
  const isPayable = due > 0 && !(await findOpenPaymentAttempt(tx, 'order', order.id));
  const { id: subjectId, currency } = order;
  const number = Number(reference.split(':')[2] ?? 1);
  const attempt = buildPaymentAttempt(
    { kind: 'order', subjectId, amount: isPayable ? due : amount, currency, expiresAt: now(), sessionId },
    number,
  );
  if (attempt.reference !== reference) return false;
  await insertPaymentAttempt(tx, { ...attempt, state: isPayable ? 'OPEN' : 'CLOSED' });
  return true;
}
