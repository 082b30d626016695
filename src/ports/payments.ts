/** Takes money on a page of the payment provider, and gives it back. */

export interface PaymentLine {
  name: string;
  quantity: number;
  /** Minor units, for the whole line. */
  amount: number;
}

export interface PaymentSessionRequest {
  /** What is paid for, such as `order:<id>` or `subscription:<id>`; also the provider's idempotency key. */
  reference: string;
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
  amount: number | undefined;
  currency: string | undefined;
}

export interface Payments {
  readonly provider: 'stripe' | 'sandbox';
  createSession(request: PaymentSessionRequest): Promise<PaymentSession>;
  /** A session that cannot be paid any more; one that was paid already stays paid. */
  expireSession(sessionId: string): Promise<void>;
  refund(request: {
    paymentId: string;
    amount: number;
    currency: string;
    key: string;
  }): Promise<{ id: string }>;
  /** Verifies the signature of a webhook body; undefined when it is not genuine. */
  readEvent(body: Buffer, headers: (name: string) => string | undefined): Promise<PaymentEvent | undefined>;
}
