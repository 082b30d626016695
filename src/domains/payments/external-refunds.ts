/** External refunds, made at the provider without the gateway: the total refunded minus the refunds of the gateway. */
import type { QueryHandle } from '../../db/index.ts';
import type { PaymentEvent } from '../../ports/payments.ts';
import type { PaymentAttempt } from './model.ts';
import { applyEventToPaymentAttempt, savePaymentAttempt } from './payment-attempts.ts';

/**
 * The caller holds the lock of the subject. `amount` of the event is the cumulative refund of the payment, so the largest value wins.
 * Undefined when the amount is unchanged.
 */
export async function recordExternalRefund(
  tx: QueryHandle,
  event: PaymentEvent,
): Promise<PaymentAttempt | undefined> {
  const { attempt } = (await applyEventToPaymentAttempt(tx, event)) ?? {};
  const { paymentId, amount } = event;
  if (!attempt || amount === undefined) return undefined;
  if (attempt.paymentId !== undefined && paymentId !== attempt.paymentId) return undefined;
  const [ours] = await tx.sql<{ total: number }>(
    `select coalesce(sum(amount), 0)::bigint as total from refunds
     where attempt_id = $1 and payment_id = $2 and status <> 'FAILED'`,
    [attempt.id, paymentId ?? null],
  );
  return saveExternalAmount(tx, attempt, Math.max(attempt.refundedElsewhere, amount - (ours?.total ?? 0)));
}

/** An external refund has failed: subtracts its amount. Undefined when the amount is unchanged. */
export async function recordFailedExternalRefund(
  tx: QueryHandle,
  event: PaymentEvent,
): Promise<PaymentAttempt | undefined> {
  const { attempt } = (await applyEventToPaymentAttempt(tx, event)) ?? {};
  if (!attempt) return undefined;
  return saveExternalAmount(tx, attempt, Math.max(0, attempt.refundedElsewhere - (event.amount ?? 0)));
}

async function saveExternalAmount(
  tx: QueryHandle,
  attempt: PaymentAttempt,
  refundedElsewhere: number,
): Promise<PaymentAttempt | undefined> {
  if (refundedElsewhere === attempt.refundedElsewhere) return undefined;
  const saved = { ...attempt, refundedElsewhere };
  await savePaymentAttempt(tx, saved);
  return saved;
}
