/** Creates the payment session of an attempt at the provider, after the attempt is committed and with its reference as idempotency key. */
import type { Services } from '../../context.ts';
import { removeDeadline } from '../../db/index.ts';
import { AppError, validationError } from '../../errors.ts';
import { PaymentRejectedError, type PaymentSessionRequest } from '../../ports/payments.ts';
import { callPaymentProvider } from './call-payment-provider.ts';
import { closePaymentSessionJob } from './close-payment-attempts.ts';
import type { PaymentAttempt } from './model.ts';

export type CheckoutSessionRequest = Omit<
  PaymentSessionRequest,
  'reference' | 'amount' | 'currency' | 'expiresAt'
>;

export const buildSessionRequest = (
  { reference, amount, currency, expiresAt }: PaymentAttempt,
  request: CheckoutSessionRequest,
): PaymentSessionRequest => ({ reference, amount, currency, expiresAt, ...request });

/** Returns the payment URL. Undefined when the attempt was closed in the meantime; the session is expired then. */
export async function openCheckoutSession(
  { db, payments, jobs }: Pick<Services, 'db' | 'payments' | 'jobs'>,
  attempt: PaymentAttempt,
  request: CheckoutSessionRequest,
): Promise<string | undefined> {
  const { id, reference } = attempt;
  const session = await callPaymentProvider({ db, payments }, () =>
    payments.createSession(buildSessionRequest(attempt, request)),
  );
  // The session exists: it is stored even if the deadline has expired meanwhile.
  const [stored] = await removeDeadline(db).write<{ id: string; url: string }>(
    `update payment_attempts set session_id = coalesce(session_id, $2), url = coalesce(url, $3), state = 'OPEN'
     where id = $1 and state in ('NEW', 'OPEN') returning session_id as id, url`,
    [id, session.id, session.url],
  );
  // Of two concurrent sessions only the stored one is reconciled later: expire the other.
  if (stored?.id !== session.id)
    await callPaymentProvider({ db, payments }, () =>
      payments.expireSession({ reference, id: session.id }),
    ).catch(() => jobs.enqueue(removeDeadline(db), closePaymentSessionJob, { reference, id: session.id }));
  return stored?.url;
}

/** Error for the client: 422 when the provider rejects the payment permanently, 503 when a retry may succeed. */
export const toCheckoutError = (error: unknown, message: string): AppError => {
  if (error instanceof AppError) return error;
  if (error instanceof PaymentRejectedError)
    return validationError('paymentMethod', 'PAYMENT_REFUSED', error.message);
  return new AppError('UNAVAILABLE', message, { headers: { 'Retry-After': '5' }, cause: error });
};
