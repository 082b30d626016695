/** Port of the payment provider: hosted payment pages, refunds, recurring payments and webhook events. Amounts are in minor units. */
import { z } from 'zod';
import type { BillingInterval } from '../lib/commerce/billing-intervals.ts';

export interface PaymentLine {
  name: string;
  quantity: number;
  /** Minor units, for the whole line. The amounts of the lines add up to the amount of the session. */
  amount: number;
}

export interface PaymentSessionRequest {
  /** Subject of the payment, such as `order:<id>` or `subscription:<id>`; also the idempotency key at the provider. */
  reference: string;
  /** Name of the business that receives the payment. */
  merchant: string;
  /** Title on the payment page, such as `Order 1001`. */
  title?: string | undefined;
  currency: string;
  amount: number;
  lines: PaymentLine[];
  expiresAt: number;
  returnUrl: string;
  cancelUrl: string;
  customerEmail?: string | undefined;
  /** For recurring payments: billing interval. */
  interval?: BillingInterval | undefined;
}

export interface PaymentSession {
  id: string;
  /** URL of the payment page. */
  url: string;
}

const refundStatus = z.enum(['pending', 'succeeded', 'failed']);

/** A recurring payment (subscription at the provider), billed every period. */
const recurring = z.object({
  /** Id at the provider. */
  id: z.string(),
  /** Invoice of the event. The first one is paid on the payment page. */
  bill: z
    .object({ id: z.string(), isFirst: z.boolean(), periodStart: z.number(), periodEnd: z.number() })
    .optional(),
  status: z.enum(['active', 'past_due', 'ended']).optional(),
  cancelAtPeriodEnd: z.boolean().optional(),
});

export type ProviderSubscription = z.output<typeof recurring>;

/** Payment event from the provider, with its signature verified. */
export const paymentEventSchema = z.object({
  /** Event id at the provider; the same event may be delivered several times. */
  id: z.string(),
  type: z.enum([
    'paid',
    // Completed with a delayed payment method: `paid` or `failed` follows, possibly days later.
    'processing',
    'failed',
    'expired',
    // Refunded, possibly by a bank's decision; `amount` is the total refunded so far.
    'refunded',
    // The status of one refund changed.
    'refund',
    'disputed',
    'cancelled',
    // The status of a recurring payment changed.
    'recurring',
    'unknown',
  ]),
  reference: z.string().optional(),
  sessionId: z.string().optional(),
  /** Payment id at the provider, needed for refunds. */
  paymentId: z.string().optional(),
  amount: z.number().optional(),
  currency: z.string().optional(),
  /** For `failed`: the session cannot be retried. */
  isFinal: z.boolean().optional(),
  /** For `refund`: id at the provider, idempotency key and status. */
  refund: z
    .object({
      id: z.string(),
      key: z.string().optional(),
      status: refundStatus,
      reason: z.string().optional(),
    })
    .optional(),
  /** For payments of a recurring payment; `reference` is that of the first payment. */
  recurring: recurring.optional(),
});

export type PaymentEvent = z.output<typeof paymentEventSchema>;

/** State of a payment session at the provider. */
export interface PaymentSessionState {
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  paymentId?: string | undefined;
  amount?: number | undefined;
  currency?: string | undefined;
  recurring?: ProviderSubscription | undefined;
}

export interface ListSessionsQuery {
  /** Unix time in seconds, inclusive. */
  createdFrom: number;
  createdTo: number;
  /** True: only sessions that the customer has completed. */
  isComplete?: boolean;
}

/** Clock difference between gateway and provider, in seconds. */
const clockToleranceSeconds = 300;
/** A session is created at most this many seconds after its payment attempt. */
const latestCreationSeconds = 3600;

/** Period in which the session of a payment attempt was created, for attempts without a stored session id. */
export const computeSessionCreationPeriod = (createdAt: number) => ({
  createdFrom: createdAt - clockToleranceSeconds,
  createdTo: createdAt + latestCreationSeconds,
});

export interface ListedPaymentSession {
  id: string;
  reference: string;
  /** URL of the payment page while the session is open. */
  url?: string | undefined;
  state: 'open' | 'complete' | 'expired';
}

export interface ProviderRefund {
  /** Refund id at the provider. */
  id: string;
  /** Idempotency key of the request, if available. */
  key?: string | undefined;
  status: z.output<typeof refundStatus>;
  /** Reason of a failure. */
  reason?: string | undefined;
}

/** Sessions that are rows of the gateway's database. */
export interface PaymentSessionSqlBuilder {
  /** Session that a statement with `insertSql` creates. */
  build(): PaymentSession;
  /** SQL that inserts a session. `request`: JSON expression of a `PaymentSessionRequest`; `from`: FROM clause of the expressions. */
  insertSql(session: { id: string; request: string; createdAt: string }, from?: string): string;
}

export interface PaymentProvider {
  readonly provider: 'stripe' | 'sandbox';
  /** Present when a statement that stores a payment attempt can create its session, too, instead of `createSession` (sandbox). */
  readonly storedSessions?: PaymentSessionSqlBuilder | undefined;
  /** Runs a call whose requests to the provider must end within `ms` milliseconds. Absent when there are no such requests (sandbox). */
  runWithin?<T>(ms: number, call: () => Promise<T>): Promise<T>;
  /** Idempotent per reference. Throws PaymentRejectedError for permanent errors. */
  createSession(request: PaymentSessionRequest): Promise<PaymentSession>;
  /** Expires a session; a paid session stays paid. Without id, the provider looks it up by reference if it can. */
  expireSession(session: {
    reference: string;
    id?: string | undefined;
    /** Unix time in seconds of the payment attempt; bounds the lookup by reference. */
    createdAt?: number | undefined;
  }): Promise<void>;
  /** State of a session; undefined if the provider has no such session. */
  findSession(id: string): Promise<PaymentSessionState | undefined>;
  /** Sessions created in a period, the newest first, including those of other systems on the same provider account. */
  listSessions(query: ListSessionsQuery): Promise<ListedPaymentSession[]>;
  /** Idempotent per key, without time limit. Throws PaymentRejectedError for permanent errors. */
  refund(request: {
    paymentId: string;
    amount: number;
    currency: string;
    key: string;
    /** Unix time in seconds of the first attempt: providers expire idempotency keys, so older refunds are searched. */
    since: number;
  }): Promise<ProviderRefund>;
  /** Status of a refund. */
  findRefund(id: string): Promise<ProviderRefund>;
  /** Captured and refunded amount of a payment; pending refunds and lost disputes count as refunded. */
  findPayment(id: string): Promise<{ captured: number; refunded: number } | undefined>;
  /** State of a recurring payment as a list of events: invoices, the oldest first, then the status. */
  listRecurringEvents(id: string): Promise<PaymentEvent[]>;
  /** Sets whether it ends with the current period. Throws PaymentRejectedError if it has already ended. */
  setCancelAtPeriodEnd(id: string, cancel: boolean): Promise<void>;
  /** Ends a recurring payment immediately. No effect if it has already ended. */
  cancelRecurring(id: string): Promise<void>;
  /** Creates due invoices, for providers without their own scheduler (sandbox). */
  createDueInvoices?(): Promise<void>;
  /** Parses a webhook body; undefined if its signature is invalid. */
  readEvent(body: Buffer, header: (name: string) => string | undefined): Promise<PaymentEvent | undefined>;
}

/** The provider permanently rejected the request. */
export class PaymentRejectedError extends Error {
  override readonly name = 'PaymentRejectedError';
}
