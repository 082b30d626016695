/** Takes money on a page of the payment provider, and gives it back. */

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
export interface PaymentEvent {
  /** The provider's id of the event: the same event may arrive many times. */
  id: string;
  type: 'paid' | 'failed' | 'expired' | 'refunded' | 'cancelled' | 'unknown';
  reference: string | undefined;
  sessionId: string | undefined;
  /** What refunds are made against. */
  paymentId: string | undefined;
  /** What was paid; for `refunded`, all that has gone back by now. */
  amount: number | undefined;
  currency: string | undefined;
}

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

/** Where a provider inside the gateway leaves its events, in the transaction that causes them. */
export const paymentEventQueue = 'payment-event';

/** The provider said no for good. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused';
}
