/** Payments on Stripe Checkout. */
import Stripe from 'stripe';
import { now } from '../../lib/time.ts';
import {
  type PaymentEvent,
  PaymentRefused,
  type PaymentSessionRequest,
  type Payments,
} from '../../ports/payments.ts';

interface Options {
  secretKey: string;
  webhookSecret: string;
  apiBase: string;
}

/** Stripe wants sessions to live half an hour at least, counted from when it gets the request. */
const minimumSeconds = 30 * 60;
const graceSeconds = 5 * 60;
const webhookToleranceSeconds = 300;

export function createStripePayments({ secretKey, webhookSecret, apiBase }: Options): Payments {
  const { protocol, hostname, port } = new URL(apiBase);
  const stripe = new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
  });

  return {
    provider: 'stripe',
    async createSession(request) {
      const expiry = sessionExpiry(request);
      const session = await stripe.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: request.reference,
          metadata: { reference: request.reference },
          // Charges, and so refund events, inherit the metadata of their payment.
          payment_intent_data: { metadata: { reference: request.reference } },
          line_items: request.lines.map(({ name, quantity, amount }) => ({
            quantity: 1,
            price_data: {
              currency: request.currency.toLowerCase(),
              unit_amount: amount,
              product_data: { name: quantity === 1 ? name : `${quantity} × ${name}` },
            },
          })),
          expires_at: expiry.at,
          success_url: request.returnUrl,
          cancel_url: request.cancelUrl,
          ...(request.customerEmail === undefined ? {} : { customer_email: request.customerEmail }),
        },
        { idempotencyKey: expiry.key },
      );
      if (!session.url) throw new Error('Stripe made a session without an address.');
      return { id: session.id, url: session.url };
    },
    async expireSession({ id }) {
      if (id === undefined) return;
      try {
        await stripe.checkout.sessions.expire(id);
      } catch (error) {
        // It was paid or has expired: nothing is open, which is all that is asked for.
        if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      }
    },
    async refund({ paymentId, amount, key }) {
      try {
        const { id } = await stripe.refunds.create(
          { payment_intent: paymentId, amount },
          { idempotencyKey: key },
        );
        return { id };
      } catch (error) {
        if (error instanceof Stripe.errors.StripeInvalidRequestError) {
          throw new PaymentRefused(error.message, { cause: error });
        }
        throw error;
      }
    },
    async readEvent(body, header) {
      const signature = header('stripe-signature');
      if (signature === undefined) return undefined;
      try {
        return eventOf(
          await stripe.webhooks.constructEventAsync(body, signature, webhookSecret, webhookToleranceSeconds),
        );
      } catch (error) {
        if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
        throw error;
      }
    },
  };
}

/**
 * Stripe refuses a repeated key with other parameters, so a prompt request and its retries all name the same moment.
 * A session made much later than its order needs a later one, and a key of its own.
 */
function sessionExpiry({ reference, expiresAt }: PaymentSessionRequest): { at: number; key: string } {
  const at = expiresAt + graceSeconds;
  const earliest = now() + minimumSeconds + 30;
  return at >= earliest ? { at, key: reference } : { at: earliest, key: `${reference}:${earliest}` };
}

const idOf = (value: string | { id: string } | null | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.id;

function eventOf(event: Stripe.Event): PaymentEvent {
  switch (event.type) {
    case 'checkout.session.completed':
      // Some ways to pay take days: then this event comes first and the money, or its failure, later.
      return sessionEvent(
        event,
        event.data.object,
        event.data.object.payment_status === 'unpaid' ? 'unknown' : 'paid',
      );
    case 'checkout.session.async_payment_succeeded':
      return sessionEvent(event, event.data.object, 'paid');
    case 'checkout.session.async_payment_failed':
      return sessionEvent(event, event.data.object, 'failed');
    case 'checkout.session.expired':
      return sessionEvent(event, event.data.object, 'expired');
    case 'payment_intent.payment_failed': {
      const { id, amount, currency, metadata } = event.data.object;
      return {
        id: event.id,
        type: 'failed',
        reference: metadata.reference,
        sessionId: undefined,
        paymentId: id,
        amount,
        currency: currency.toUpperCase(),
      };
    }
    case 'charge.refunded': {
      const { payment_intent, amount_refunded, currency, metadata } = event.data.object;
      return {
        id: event.id,
        type: 'refunded',
        reference: metadata.reference,
        sessionId: undefined,
        paymentId: idOf(payment_intent),
        amount: amount_refunded,
        currency: currency.toUpperCase(),
      };
    }
    default:
      return {
        id: event.id,
        type: 'unknown',
        reference: undefined,
        sessionId: undefined,
        paymentId: undefined,
        amount: undefined,
        currency: undefined,
      };
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
  amount: session.amount_total ?? undefined,
  currency: session.currency?.toUpperCase(),
});
