/** Takes money on a page of the payment provider, and gives it back. */
import { z } from 'zod';
import type { BillingInterval } from '../lib/time.ts';

export interface PaymentLine {
  name: string;
  quantity: number;
  /** Minor units, for the whole line. The lines add up to the amount of the session. */
  amount: number;
}

export interface PaymentSessionRequest {
  /** What is paid for, such as `order:<id>` or `subscription:<id>`; also the provider's idempotency key. */
  reference: string;
  /** Who is paid. */
  merchant: string;
  /** What people call that which is paid for, such as `Order 1001`. */
  title?: string | undefined;
  currency: string;
  amount: number;
  lines: PaymentLine[];
  expiresAt: number;
  returnUrl: string;
  cancelUrl: string;
  customerEmail?: string | undefined;
  /** The amount is paid again and again, as long as nobody ends it. */
  interval?: BillingInterval | undefined;
}

export interface PaymentSession {
  id: string;
  /** Where the customer pays. */
  url: string;
}

const refundStatus = z.enum(['pending', 'succeeded', 'failed']);

/** What is paid again and again: the provider bills every period. */
const recurring = z.object({
  /** The provider's id of it. */
  id: z.string(),
  /** The bill that an event is about. The first one is paid on the page. */
  bill: z
    .object({ id: z.string(), isFirst: z.boolean(), periodStart: z.number(), periodEnd: z.number() })
    .optional(),
  status: z.enum(['active', 'past_due', 'ended']).optional(),
  cancelAtPeriodEnd: z.boolean().optional(),
});

export type ProviderRecurring = z.output<typeof recurring>;

/** What a provider tells us, already verified. */
export const paymentEventSchema = z.object({
  /** The provider's id of the event: the same event may arrive many times. */
  id: z.string(),
  type: z.enum([
    'paid',
    // The page was completed with a method that takes days: the money, or its failure, comes later.
    'processing',
    'failed',
    'expired',
    // Money went back, also by a bank's decision; `amount` is all that had gone back when it was told.
    'refunded',
    // One refund came to another state.
    'refund',
    'disputed',
    'cancelled',
    // Where something recurring stands.
    'recurring',
    'unknown',
  ]),
  reference: z.string().optional(),
  sessionId: z.string().optional(),
  /** What refunds are made against. */
  paymentId: z.string().optional(),
  amount: z.number().optional(),
  currency: z.string().optional(),
  /** For `failed`: the page cannot be tried again. */
  isFinal: z.boolean().optional(),
  /** For `refund`: which one, by the provider's id and by our key, and what became of it. */
  refund: z
    .object({
      id: z.string(),
      key: z.string().optional(),
      status: refundStatus,
      reason: z.string().optional(),
    })
    .optional(),
  /** For payments, and failures to pay, of something recurring: `reference` is what the first of them was made for. */
  recurring: recurring.optional(),
});

export type PaymentEvent = z.output<typeof paymentEventSchema>;

/** What a provider answers when it is asked about a page. */
export interface PaymentSessionState {
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  paymentId?: string | undefined;
  amount?: number | undefined;
  currency?: string | undefined;
  recurring?: ProviderRecurring | undefined;
}

export interface ProviderRefund {
  /** The provider's id of the refund. */
  id: string;
  /** The key it was asked for under, where that is known. */
  key?: string | undefined;
  status: z.output<typeof refundStatus>;
  /** Why it failed. */
  reason?: string | undefined;
}

export interface Payments {
  readonly provider: 'stripe' | 'sandbox';
  /** The same reference gives the same session. Throws PaymentRefused when trying again is pointless. */
  createSession(request: PaymentSessionRequest): Promise<PaymentSession>;
  /** A session that cannot be paid any more; one that was paid already stays paid. Without id: as far as the provider can tell. */
  expireSession(session: { reference: string; id?: string | undefined }): Promise<void>;
  /** Where a session stands; undefined when the provider knows none. */
  findSession(id: string): Promise<PaymentSessionState | undefined>;
  /** The same key gives the same refund, however late. Throws PaymentRefused when trying again is pointless. */
  refund(request: {
    paymentId: string;
    amount: number;
    currency: string;
    key: string;
    /** When it may have been asked for the first time: providers forget keys. */
    since: number;
  }): Promise<ProviderRefund>;
  /** Where a refund stands. */
  findRefund(id: string): Promise<ProviderRefund>;
  /** What the provider has taken for a payment and what of it has gone back, or is on its way; lost disputes count. */
  findPayment(id: string): Promise<{ captured: number; refunded: number } | undefined>;
  /** Where something recurring stands, told as its events: its bills, the oldest first, then its status. */
  askRecurring(id: string): Promise<PaymentEvent[]>;
  /** Whether it ends with the period that is paid for. Throws PaymentRefused when it has ended already. */
  setCancelAtPeriodEnd(id: string, cancel: boolean): Promise<void>;
  /** Bills nothing any more. What has ended already stays so. */
  endRecurring(id: string): Promise<void>;
  /** For a provider that has no clock of its own: bills what is due. */
  billDue?(): Promise<void>;
  /** Verifies the signature of a webhook body; undefined when it is not genuine. */
  readEvent(body: Buffer, header: (name: string) => string | undefined): Promise<PaymentEvent | undefined>;
}

/** The provider said no for good. */
export class PaymentRejectedError extends Error {
  override readonly name = 'PaymentRefused';
}
