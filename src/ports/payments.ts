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

/** What a provider tells us, already verified. */
export const paymentEvent = z.object({
  /** The provider's id of the event: the same event may arrive many times. */
  id: z.string(),
  type: z.enum(['paid', 'failed', 'expired', 'refunded', 'cancelled', 'unknown']),
  reference: z.string().optional(),
  sessionId: z.string().optional(),
  /** What refunds are made against. */
  paymentId: z.string().optional(),
  /** What was paid; for `refunded`, all that has gone back by now. */
  amount: z.number().optional(),
  currency: z.string().optional(),
});

export type PaymentEvent = z.output<typeof paymentEvent>;

export interface Payments {
  readonly provider: 'stripe' | 'sandbox';
  /** The same reference gives the same session. */
  createSession(request: PaymentSessionRequest): Promise<PaymentSession>;
  /** A session that cannot be paid any more; one that was paid already stays paid. Without id: as far as the provider can tell. */
  expireSession(session: { reference: string; id?: string | undefined }): Promise<void>;
  /** The same key gives the same refund. Throws PaymentRefused when trying again is pointless. */
  refund(request: {
    paymentId: string;
    amount: number;
    currency: string;
    key: string;
  }): Promise<{ id: string }>;
  /** Verifies the signature of a webhook body; undefined when it is not genuine. */
  readEvent(body: Buffer, header: (name: string) => string | undefined): Promise<PaymentEvent | undefined>;
}

/** The provider said no for good. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
}
