/** Takes money on a page of the payment provider, and gives it back. */
import { z } from 'zod';

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
  currency: string;
  amount: number;
  lines: PaymentLine[];
  expiresAt: number;
  returnUrl: string;
  cancelUrl: string;
  customerEmail?: string | undefined;
}

export interface PaymentSession {
  id: string;
  /** Where the customer pays. */
  url: string;
}

const refundStatus = z.enum(['pending', 'succeeded', 'failed']);

/** What a provider tells us, already verified. */
export const paymentEvent = z.object({
  /** The provider's id of the event: the same event may arrive many times. */
  id: z.string(),
  type: z.enum([
    'paid',
    // The page was completed with a method that takes days: the money, or its failure, comes later.
    'processing',
    'failed',
    'expired',
    // Money went back; `amount` is all that has gone back by now.
    'refunded',
    // One refund came to another state.
    'refund',
    'disputed',
    'cancelled',
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
});

export type PaymentEvent = z.output<typeof paymentEvent>;

/** What a provider answers when it is asked about a page. */
export interface FoundSession {
  state: 'open' | 'processing' | 'paid' | 'failed' | 'expired';
  paymentId?: string | undefined;
  amount?: number | undefined;
  currency?: string | undefined;
}

export interface RefundAnswer {
  /** The provider's id of the refund. */
  id: string;
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
  findSession(id: string): Promise<FoundSession | undefined>;
  /** The same key gives the same refund. Throws PaymentRefused when trying again is pointless. */
  refund(request: {
    paymentId: string;
    amount: number;
    currency: string;
    key: string;
  }): Promise<RefundAnswer>;
  /** Where a refund stands. */
  findRefund(id: string): Promise<RefundAnswer>;
  /** What the provider has taken for a payment and what of it has gone back, or is on its way. */
  findPayment(id: string): Promise<{ captured: number; refunded: number } | undefined>;
  /** Verifies the signature of a webhook body; undefined when it is not genuine. */
  readEvent(body: Buffer, header: (name: string) => string | undefined): Promise<PaymentEvent | undefined>;
}

/** The provider said no for good. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
}
