/** Payments on Stripe Checkout. */
import Stripe from 'stripe';
import { now } from '../../lib/time.ts';
import { traceHeaders } from '../../lib/tracing.ts';
import { PaymentRejectedError, type PaymentSessionRequest, type Payments } from '../../ports/payments.ts';
import { toStripeAmount, toStripeLines } from './stripe-amounts.ts';
import { loadStripeCapturedAmounts } from './stripe-captured-amounts.ts';
import { limitStripeLines, mapStripeEvent, mapStripeRefund, mapStripeSession } from './stripe-mapping.ts';
import {
  endStripeSubscription,
  hasFirstStripeInvoiceFailed,
  loadFirstStripeInvoice,
  loadStripeRecurringEvent,
  loadStripeRecurringEvents,
  setStripeCancelAtPeriodEnd,
  stripeIntervals,
} from './stripe-subscriptions.ts';

interface Options {
  secretKey: string;
  webhookSecret: string;
  apiBase: string;
}

/** Stripe wants sessions to live half an hour at least, counted from when it gets the request. */
const minimumSeconds = 30 * 60;
const graceSeconds = 5 * 60;
const webhookToleranceSeconds = 300;

/** The SDK's own client, which also tells Stripe in which trace it is asked. */
function tracingClient(): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = (host, port, path, method, headers, ...rest) =>
    makeRequest(host, port, path, method, { ...headers, ...traceHeaders() }, ...rest);
  return client;
}

export function createStripePayments({ secretKey, webhookSecret, apiBase }: Options): Payments {
  const { protocol, hostname, port } = new URL(apiBase);
  const stripe = new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
    httpClient: tracingClient(),
  });

  return {
    provider: 'stripe',
    async createSession(request) {
      const expiry = sessionExpiry(request);
      const session = await refusing(
        stripe.checkout.sessions.create(
          {
            client_reference_id: request.reference,
            metadata: { reference: request.reference },
            ...modeOf(request),
            line_items: toStripeLines(limitStripeLines(request.lines), request.currency).map(
              ({ name, quantity, amount }) => ({
                quantity: 1,
                price_data: {
                  currency: request.currency.toLowerCase(),
                  unit_amount: amount,
                  product_data: { name: quantity === 1 ? name : `${quantity} × ${name}` },
                  ...(request.interval ? { recurring: { interval: stripeIntervals[request.interval] } } : {}),
                },
              }),
            ),
            expires_at: expiry.at,
            success_url: request.returnUrl,
            cancel_url: request.cancelUrl,
            ...(request.customerEmail === undefined ? {} : { customer_email: request.customerEmail }),
          },
          { idempotencyKey: expiry.key },
        ),
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
    async findSession(id) {
      const session = await known(stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] }));
      if (!session) return undefined;
      const found = mapStripeSession(session);
      if (found.state === 'paid') return (await loadFirstStripeInvoice(stripe, session)) ?? found;
      const hasFailed = found.state === 'processing' && (await hasFirstStripeInvoiceFailed(stripe, session));
      return hasFailed ? { ...found, state: 'failed' } : found;
    },
    refund: async (request) => mapStripeRefund(await refusing(makeRefund(stripe, request))),
    findRefund: async (id) => mapStripeRefund(await refusing(stripe.refunds.retrieve(id))),
    async findPayment(id) {
      const payment = await known(stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }));
      return payment && loadStripeCapturedAmounts(stripe, payment);
    },
    async readEvent(body, header) {
      const signature = header('stripe-signature');
      if (signature === undefined) return undefined;
      const event = await genuine(
        stripe.webhooks.constructEventAsync(body, signature, webhookSecret, webhookToleranceSeconds),
      );
      return event && ((await loadStripeRecurringEvent(stripe, event)) ?? mapStripeEvent(event));
    },
    askRecurring: (id) => loadStripeRecurringEvents(stripe, id),
    setCancelAtPeriodEnd: (id, cancel) => setStripeCancelAtPeriodEnd(stripe, id, cancel),
    endRecurring: (id) => endStripeSubscription(stripe, id),
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

/** What was asked for longer ago than this is looked for before it is asked for again: Stripe forgets keys after a day. */
const keySeconds = 20 * 3600;

async function makeRefund(
  stripe: Stripe,
  { paymentId, amount, currency, key, since }: Parameters<Payments['refund']>[0],
): Promise<Stripe.Refund> {
  if (now() - since >= keySeconds)
    for await (const made of stripe.refunds.list({ payment_intent: paymentId, limit: 100 }))
      if (made.metadata?.refund === key) return made;
  return stripe.refunds.create(
    { payment_intent: paymentId, amount: toStripeAmount(amount, currency), metadata: { refund: key } },
    { idempotencyKey: key },
  );
}

/** Charges, and so refund events, inherit the metadata of their payment; bills that of what recurs. */
function modeOf({ interval, reference, title }: PaymentSessionRequest) {
  const metadata = { reference };
  return interval
    ? ({ mode: 'subscription', subscription_data: { metadata } } as const)
    : ({
        mode: 'payment',
        payment_intent_data: { metadata, ...(title === undefined ? {} : { description: title }) },
      } as const);
}

const genuine = (event: Promise<Stripe.Event>): Promise<Stripe.Event | undefined> =>
  event.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
    throw error;
  });

/** What Stripe refuses today it refuses tomorrow: amounts below its minimum, currencies it does not know. */
const refusing = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError)
      throw new PaymentRejectedError(error.message, { cause: error });
    throw error;
  });

const known = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404)
      return undefined;
    throw error;
  });
