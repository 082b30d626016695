/** External refunds, made at the provider without the gateway: the total refunded minus the refunds of the gateway. */
import type { QueryHandle } from '../../db/index.ts';
import type { PaymentEvent } from '../../ports/payments.ts';
import type { PaymentAttempt } from './model.ts';
import { applyEventToPaymentAttempt, updatePaymentAttempt } from './stored-payment-attempts.ts';

/**
 * The caller holds the lock of the subject. `amount` of the event is the cumulative refund of the payment, so the largest value wins.
 * `overpaid`: amount that the customer has overpaid; a refund of that much is no credit. Undefined when the amount is unchanged.
 */
export async function recordExternalRefund(
  tx: QueryHandle,
  event: PaymentEvent,
  overpaid = 0,
): Promise<PaymentAttempt | undefined> {
  const { attempt } = (await applyEventToPaymentAttempt(tx, event)) ?? {};
  const { paymentId, amount } = event;
  if (!attempt || amount === undefined) return undefined;
  if (attempt.paymentId !== undefined && paymentId !== attempt.paymentId) return undefined;
  const { refundedElsewhere: before, creditedElsewhere = before } = attempt;
  const refundedElsewhere = Math.max(before, amount - (await sumOwnRefunds(tx, attempt)));
  const credit = Math.max(0, refundedElsewhere - before - overpaid);
  return saveExternalAmount(tx, attempt, refundedElsewhere, creditedElsewhere + credit);
}

/**
 * An external refund has failed. `amount` of the event is what remains refunded of the payment, because a provider reports one failure in
 * several events. Undefined when the amount is unchanged.
 */
export async function recordFailedExternalRefund(
  tx: QueryHandle,
  event: PaymentEvent,
): Promise<PaymentAttempt | undefined> {
  const { attempt } = (await applyEventToPaymentAttempt(tx, event)) ?? {};
  const { paymentId, amount } = event;
  if (!attempt || amount === undefined || paymentId !== attempt.paymentId) return undefined;
  const { refundedElsewhere: before, creditedElsewhere = before } = attempt;
  const remaining = Math.max(0, amount - (await sumOwnRefunds(tx, attempt)));
  const refundedElsewhere = Math.min(before, remaining);
  return saveExternalAmount(tx, attempt, refundedElsewhere, Math.min(refundedElsewhere, creditedElsewhere));
}

/** Refunds of the gateway that have not failed. */
async function sumOwnRefunds(tx: QueryHandle, { id, paymentId }: PaymentAttempt): Promise<number> {
  const [row] = await tx.sql<{ total: number }>(
    `select coalesce(sum(amount), 0)::bigint as total from refunds
     where attempt_id = $1 and payment_id = $2 and status <> 'FAILED'`,
    [id, paymentId ?? null],
  );
  return row?.total ?? 0;
}

async function saveExternalAmount(
  tx: QueryHandle,
  attempt: PaymentAttempt,
  refundedElsewhere: number,
  creditedElsewhere: number,
): Promise<PaymentAttempt | undefined> {
  if (refundedElsewhere === attempt.refundedElsewhere) return undefined;
  const saved = { ...attempt, refundedElsewhere, creditedElsewhere };
  await updatePaymentAttempt(tx, saved);
  return saved;
}
