/** Refunds that were made at the provider itself: what went back in all, less what went back by us. */
import type { Queries } from '../../db/handles.ts';
import type { PaymentEvent } from '../../ports/payments.ts';
import type { PaymentAttempt } from './model.ts';
import { applyEventToAttempt, saveAttempt } from './payment-attempts.ts';

/**
 * For a subject that is locked. `amount` is all that has gone back of the payment by now, so the largest one counts. Undefined when it
 * says nothing new.
 */
export async function recordExternalRefund(
  tx: Queries,
  event: PaymentEvent,
): Promise<PaymentAttempt | undefined> {
  const { attempt } = (await applyEventToAttempt(tx, event)) ?? {};
  const { paymentId, amount } = event;
  if (!attempt || amount === undefined) return undefined;
  if (attempt.paymentId !== undefined && paymentId !== attempt.paymentId) return undefined;
  const [ours] = await tx.sql<{ total: number }>(
    `select coalesce(sum(amount), 0)::bigint as total from refunds
     where attempt_id = $1 and payment_id = $2 and status <> 'FAILED'`,
    [attempt.id, paymentId ?? null],
  );
  return set(tx, attempt, Math.max(attempt.refundedElsewhere, amount - (ours?.total ?? 0)));
}

/** A refund made elsewhere has failed: its amount is back with us. */
export async function recordFailedExternalRefund(
  tx: Queries,
  event: PaymentEvent,
): Promise<PaymentAttempt | undefined> {
  const { attempt } = (await applyEventToAttempt(tx, event)) ?? {};
  if (!attempt) return undefined;
  return set(tx, attempt, Math.max(0, attempt.refundedElsewhere - (event.amount ?? 0)));
}

async function set(
  tx: Queries,
  attempt: PaymentAttempt,
  refundedElsewhere: number,
): Promise<PaymentAttempt | undefined> {
  if (refundedElsewhere === attempt.refundedElsewhere) return undefined;
  const saved = { ...attempt, refundedElsewhere };
  await saveAttempt(tx, saved);
  return saved;
}
