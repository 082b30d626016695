/** Payments adapter on Stripe Checkout. */
import Stripe from 'stripe';
import { AsyncContext } from '../../lib/async/async-context.ts';
import { CallTimeoutError } from '../../lib/async/run-with-call-timeout.ts';
import { now } from '../../lib/time.ts';
import { buildTraceHeaders } from '../../lib/tracing.ts';
import {
  computeSessionCreationPeriod,
  type ListedPaymentSession,
  type PaymentProvider,
  PaymentRejectedError,
  type PaymentSessionRequest,
} from '../../ports/payments.ts';
import { convertLinesToStripeAmounts, minorUnitsToStripe } from './convert-stripe-amounts.ts';
import { loadStripeCapturedAmounts } from './stripe-captured-amounts.ts';
import {
  mapListedStripeSession,
  mapStripeEvent,
  mapStripeRefund,
  mapStripeSession,
  mergeExcessStripeLines,
} from './stripe-mapping.ts';
import {
  convertStripeSubscriptionEvent,
  endStripeSubscription,
  hasFirstStripeInvoiceFailed,
  loadFirstStripeInvoicePayment,
  loadStripeSubscriptionEvents,
  setStripeCancelAtPeriodEnd,
  stripeIntervalByBillingInterval,
} from './stripe-subscriptions.ts';

interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  apiBase: string;
}

/** Stripe's minimum lifetime of a session, counted from the receipt of the request. */
const minSessionSeconds = 30 * 60;
const expiryGraceSeconds = 5 * 60;
const webhookToleranceSeconds = 300;
/** End of the time budget of the caller, by the clock of `performance.now()`. The SDK passes no argument on to its HTTP client. */
const budgetEnd = new AsyncContext<number>();

/** The HTTP client of the SDK, with trace headers and the time budget of the caller, which also ends the retries of the SDK. */
function createHttpClient(): Stripe.HttpClient {
  const client = Stripe.createNodeHttpClient();
  const makeRequest = client.makeRequest.bind(client);
  client.makeRequest = async (host, port, path, method, headers, data, protocol, timeout) => {
    const end = budgetEnd.get();
    const remainingMs = end === undefined ? timeout : end - performance.now();
    if (remainingMs <= 0) throw new CallTimeoutError('No time is left for a request to Stripe.');
    const tracedHeaders = { ...headers, ...buildTraceHeaders() };
    const boundMs = Math.ceil(Math.min(timeout, remainingMs));
    return makeRequest(host, port, path, method, tracedHeaders, data, protocol, boundMs);
  };
  return client;
}

export function createStripePaymentProvider({
  secretKey,
  webhookSecret,
  apiBase,
}: StripeOptions): PaymentProvider {
  const { protocol, hostname, port } = new URL(apiBase);
  const stripe = new Stripe(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    ...(port === '' ? {} : { port }),
    maxNetworkRetries: 2,
    timeout: 10_000,
    telemetry: false,
    httpClient: createHttpClient(),
  });

  return {
    provider: 'stripe',
    runWithin: (ms, call) => budgetEnd.run(performance.now() + ms, call),
    async createSession(request) {
      const expiry = sessionExpiry(request);
      const session = await toPermanentError(
        stripe.checkout.sessions.create(
          {
            client_reference_id: request.reference,
            metadata: { reference: request.reference },
            ...modeOf(request),
            line_items: convertLinesToStripeAmounts(
              mergeExcessStripeLines(request.lines),
              request.currency,
            ).map(({ name, quantity, amount }) => ({
              quantity: 1,
              price_data: {
                currency: request.currency.toLowerCase(),
                unit_amount: amount,
                product_data: { name: quantity === 1 ? name : `${quantity} × ${name}` },
                ...(request.interval
                  ? { recurring: { interval: stripeIntervalByBillingInterval[request.interval] } }
                  : {}),
              },
            })),
            expires_at: expiry.at,
            success_url: request.returnUrl,
            cancel_url: request.cancelUrl,
            ...(request.customerEmail === undefined ? {} : { customer_email: request.customerEmail }),
          },
          { idempotencyKey: expiry.key },
        ),
      );
      if (!session.url) throw new Error('Stripe created a checkout session without a URL.');
      return { id: session.id, url: session.url };
    },
    async expireSession({ id, reference, createdAt }) {
      if (id !== undefined) return expireStripeSession(stripe, id);
      if (createdAt === undefined) return;
      const { createdFrom, createdTo } = computeSessionCreationPeriod(createdAt);
      const created = { gte: createdFrom, lte: createdTo };
      for await (const session of stripe.checkout.sessions.list({ created, status: 'open', limit: 100 }))
        if (session.client_reference_id === reference) await expireStripeSession(stripe, session.id);
    },
    async findSession(id) {
      const session = await undefinedIfMissing(
        stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] }),
      );
      if (!session) return undefined;
      const foundSession = mapStripeSession(session);
      if (foundSession.state === 'paid')
        return (await loadFirstStripeInvoicePayment(stripe, session)) ?? foundSession;
      const hasFailed =
        foundSession.state === 'processing' && (await hasFirstStripeInvoiceFailed(stripe, session));
      return hasFailed ? { ...foundSession, state: 'failed' } : foundSession;
    },
    async listSessions({ createdFrom, createdTo, isComplete }) {
      const created = { gte: createdFrom, lte: createdTo };
      const status = isComplete ? ({ status: 'complete' } as const) : {};
      const sessions: ListedPaymentSession[] = [];
      for await (const session of stripe.checkout.sessions.list({ created, ...status, limit: 100 })) {
        const listed = mapListedStripeSession(session);
        if (listed) sessions.push(listed);
      }
      return sessions;
    },
    refund: async (request) => mapStripeRefund(await toPermanentError(createRefundOnce(stripe, request))),
    findRefund: async (id) => mapStripeRefund(await toPermanentError(stripe.refunds.retrieve(id))),
    async findPayment(id) {
      const payment = await undefinedIfMissing(
        stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }),
      );
      return payment && loadStripeCapturedAmounts(stripe, payment);
    },
    async readEvent(body, header) {
      const signature = header('stripe-signature');
      if (signature === undefined) return undefined;
      const event = await undefinedIfForged(
        stripe.webhooks.constructEventAsync(body, signature, webhookSecret, webhookToleranceSeconds),
      );
      return event && ((await convertStripeSubscriptionEvent(stripe, event)) ?? mapStripeEvent(event));
    },
    listRecurringEvents: (id) => loadStripeSubscriptionEvents(stripe, id),
    setCancelAtPeriodEnd: (id, cancel) => setStripeCancelAtPeriodEnd(stripe, id, cancel),
    cancelRecurring: (id) => endStripeSubscription(stripe, id),
  };
}

/**
 * Stripe rejects a repeated idempotency key with other parameters, so a request and its retries must have the same expiry.
 * A session that is created much later than its order needs a later expiry, and therefore its own key, which changes once an hour.
 */
function sessionExpiry({ reference, expiresAt }: PaymentSessionRequest): { at: number; key: string } {
  const at = expiresAt + expiryGraceSeconds;
  const earliest = now() + minSessionSeconds + 30;
  const hours = Math.max(0, Math.ceil((earliest - at) / 3600));
  return { at: at + hours * 3600, key: hours === 0 ? reference : `${reference}:${hours}` };
}

async function expireStripeSession(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id);
  } catch (error) {
    // The session was paid or has expired already, so it is not open any more.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}

/** Refunds requested longer ago than this are searched before they are requested again: Stripe expires idempotency keys after a day. */
const idempotencyKeySeconds = 20 * 3600;

async function createRefundOnce(
  stripe: Stripe,
  { paymentId, amount, currency, key, since }: Parameters<PaymentProvider['refund']>[0],
): Promise<Stripe.Refund> {
  if (now() - since >= idempotencyKeySeconds)
    for await (const refund of stripe.refunds.list({ payment_intent: paymentId, limit: 100 }))
      if (refund.metadata?.refund === key) return refund;
  return stripe.refunds.create(
    { payment_intent: paymentId, amount: minorUnitsToStripe(amount, currency), metadata: { refund: key } },
    { idempotencyKey: key },
  );
}

/** Charges, and therefore refund events, inherit the metadata of the payment intent; invoices inherit that of the subscription. */
function modeOf({ interval, reference, title }: PaymentSessionRequest) {
  const metadata = { reference };
  return interval
    ? ({ mode: 'subscription', subscription_data: { metadata } } as const)
    : ({
        mode: 'payment',
        payment_intent_data: { metadata, ...(title === undefined ? {} : { description: title }) },
      } as const);
}

const undefinedIfForged = (event: Promise<Stripe.Event>): Promise<Stripe.Event | undefined> =>
  event.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
    throw error;
  });

/** Turns invalid request errors, such as an unsupported currency or too small an amount, into the permanent PaymentRejectedError. */
const toPermanentError = <T>(response: Promise<T>): Promise<T> =>
  response.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError)
      throw new PaymentRejectedError(error.message, { cause: error });
    throw error;
  });

const undefinedIfMissing = <T>(response: Promise<T>): Promise<T | undefined> =>
  response.catch((error: unknown) => {
    if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 404)
      return undefined;
    throw error;
  });
