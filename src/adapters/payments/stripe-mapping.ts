/** Maps Stripe objects to the types of the payments port. Pure. */
import type Stripe from 'stripe';
import type {
  ListedPaymentSession,
  PaymentEvent,
  PaymentLine,
  PaymentSessionState,
  ProviderRefund,
} from '../../ports/payments.ts';
import { stripeToMinorUnits } from './convert-stripe-amounts.ts';

/** Maximum number of line items of a checkout session. */
const maxLines = 100;

/** Merges the lines beyond the limit into one. */
export function mergeExcessStripeLines(lines: readonly PaymentLine[]): PaymentLine[] {
  if (lines.length <= maxLines) return [...lines];
  const mergedLines = lines.slice(maxLines - 1);
  const amount = mergedLines.reduce((sum, line) => sum + line.amount, 0);
  return [...lines.slice(0, maxLines - 1), { name: `And ${mergedLines.length} more`, quantity: 1, amount }];
}

/** A completed session without payment is `processing`, unless its payment intent has failed. */
export function mapStripeSession(session: Stripe.Checkout.Session): PaymentSessionState {
  const { status, payment_status, payment_intent, amount_total, currency } = session;
  const paymentFacts = { paymentId: idOf(payment_intent), ...moneyOf(amount_total, currency) };
  if (status === 'open') return { state: 'open' };
  if (status === 'expired') return { state: 'expired' };
  if (payment_status !== 'unpaid') return { state: 'paid', ...paymentFacts };
  const payment = typeof payment_intent === 'object' ? payment_intent?.status : undefined;
  return { state: hasStripePaymentFailed(payment) ? 'failed' : 'processing', ...paymentFacts };
}

const listedStates: Readonly<Record<string, ListedPaymentSession['state']>> = {
  open: 'open',
  complete: 'complete',
};

/** Undefined for a session without a reference, which another system has created. */
export function mapListedStripeSession(session: Stripe.Checkout.Session): ListedPaymentSession | undefined {
  const { id, status, url, metadata, client_reference_id } = session;
  const reference = metadata?.reference ?? client_reference_id ?? undefined;
  return reference === undefined
    ? undefined
    : { id, reference, url: url ?? undefined, state: listedStates[status ?? ''] ?? 'expired' };
}

/** Whether a pending payment has failed permanently. */
export const hasStripePaymentFailed = (status: Stripe.PaymentIntent.Status | undefined): boolean =>
  status === 'requires_payment_method' || status === 'canceled';

export function mapStripeRefund({ id, status, failure_reason }: Stripe.Refund): ProviderRefund {
  if (status === 'failed' || status === 'canceled')
    return { id, status: 'failed', reason: failure_reason ?? status };
  return { id, status: status === 'succeeded' ? 'succeeded' : 'pending' };
}

const moneyOf = (amount: number | null, currency: string | null) => ({
  amount: typeof amount === 'number' && currency ? stripeToMinorUnits(amount, currency) : undefined,
  currency: currency?.toUpperCase(),
});

const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;

export function mapStripeEvent(event: Stripe.Event): PaymentEvent {
  switch (event.type) {
    case 'checkout.session.completed':
      // Delayed payment methods take days: this event comes first, success or failure later.
      return sessionEvent(
        event,
        event.data.object,
        event.data.object.payment_status === 'unpaid' ? 'processing' : 'paid',
      );
    case 'checkout.session.async_payment_succeeded':
      return sessionEvent(event, event.data.object, 'paid');
    case 'checkout.session.async_payment_failed':
      return { ...sessionEvent(event, event.data.object, 'failed'), isFinal: true };
    case 'checkout.session.expired':
      return sessionEvent(event, event.data.object, 'expired');
    case 'payment_intent.payment_failed': {
      const { id, amount, currency, metadata } = event.data.object;
      return {
        id: event.id,
        type: 'failed',
        reference: metadata?.reference,
        paymentId: id,
        ...moneyOf(amount, currency),
      };
    }
    case 'charge.refunded': {
      const { payment_intent, amount_refunded, currency, metadata } = event.data.object;
      return {
        id: event.id,
        type: 'refunded',
        reference: metadata?.reference,
        paymentId: idOf(payment_intent),
        ...moneyOf(amount_refunded, currency),
      };
    }
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.refund.updated': {
      const refund = event.data.object;
      return {
        id: event.id,
        type: 'refund',
        paymentId: idOf(refund.payment_intent),
        ...moneyOf(refund.amount, refund.currency),
        refund: { ...mapStripeRefund(refund), key: refund.metadata?.refund },
      };
    }
    case 'charge.dispute.created': {
      const { payment_intent, amount, currency } = event.data.object;
      return {
        id: event.id,
        type: 'disputed',
        paymentId: idOf(payment_intent),
        ...moneyOf(amount, currency),
      };
    }
    case 'charge.dispute.closed': {
      const { payment_intent, status } = event.data.object;
      return {
        id: event.id,
        type: status === 'lost' ? 'refunded' : 'unknown',
        paymentId: idOf(payment_intent),
      };
    }
    default:
      return { id: event.id, type: 'unknown' };
  }
}

const sessionEvent = (
  event: Stripe.Event,
  session: Stripe.Checkout.Session,
  type: PaymentEvent['type'],
): PaymentEvent => ({
  id: event.id,
  type,
  reference: session.metadata?.reference ?? session.client_reference_id ?? undefined,
  sessionId: session.id,
  paymentId: idOf(session.payment_intent),
  ...moneyOf(session.amount_total, session.currency),
});
