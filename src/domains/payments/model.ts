/** Payment attempts, refunds and provider events: shapes and tables. */
import { defineTable } from '../../db/index.ts';
import type { PaymentAttemptModel, PaymentEventModel, RefundModel } from '../../generated/prisma/models.ts';
import type { PaymentEvent } from '../../ports/payments.ts';

/** Records that can be paid. */
export type PaymentSubjectKind = 'order' | 'subscription';

/**
 * NEW: no session at the provider yet. OPEN: payable. PROCESSING: a bank transfer is in transit. PAID: paid with the correct amount.
 * RETURNED: an unmatched payment, which is refunded. CLOSED: no longer payable.
 */
export const paymentAttemptStates = ['NEW', 'OPEN', 'PROCESSING', 'PAID', 'RETURNED', 'CLOSED'] as const;
export type PaymentAttemptState = (typeof paymentAttemptStates)[number];

export interface PaymentAttempt {
  id: string;
  reference: string;
  kind: string;
  subjectId: string;
  /** Without it, a trigger finds the business of a subject that exists before the statement, where businesses can move. */
  businessId?: string | undefined;
  number: number;
  item?: string | undefined;
  amount: number;
  currency: string;
  state: PaymentAttemptState;
  sessionId?: string | undefined;
  url?: string | undefined;
  expiresAt: number;
  paymentId?: string | undefined;
  captured: number;
  refundedElsewhere: number;
  /** Part of `refundedElsewhere` that is a credit. Undefined: all of it. */
  creditedElsewhere?: number | undefined;
  createdAt: number;
  updatedAt: number;
}

export const paymentAttemptTable = defineTable<PaymentAttempt, PaymentAttemptModel>('payment_attempts', 'a', {
  id: 'fixed',
  reference: 'fixed',
  kind: 'fixed',
  subjectId: 'fixed',
  businessId: 'fixedNullable',
  number: 'fixed',
  item: 'fixed',
  amount: 'fixed',
  currency: 'fixed',
  state: 'column',
  sessionId: 'column',
  url: 'column',
  expiresAt: 'column',
  paymentId: 'column',
  captured: 'column',
  refundedElsewhere: 'column',
  creditedElsewhere: 'column',
  checkedAt: 'apart',
  createdAt: 'fixed',
  updatedAt: 'column',
});

/** Reference of a payment attempt at the provider, also its idempotency key: `order:<id>`, with `:<number>` from the second attempt on. */
export const buildPaymentReference = (kind: PaymentSubjectKind, subjectId: string, number = 1): string =>
  number > 1 ? `${kind}:${subjectId}:${number}` : `${kind}:${subjectId}`;

export const refundStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export interface RefundedQuantityAtLineIndex {
  /** Index of the line in the order. */
  line: number;
  quantity: number;
  /** Identifies the line when the lines of the order have been reordered. Undefined in older refunds. */
  variantId?: string | undefined;
  /** False: these units are not restocked, overriding `restock` of the refund. */
  restock?: boolean | undefined;
  /** These units had been returned without a refund before. */
  returned?: true | undefined;
}

export interface Refund {
  id: string;
  attemptId: string;
  paymentId: string;
  amount: number;
  /** Part of the amount that reduces what the customer owes; the rest returns an overpayment. Undefined: all of it. */
  credit?: number | undefined;
  currency: string;
  status: RefundStatus;
  /** True when the payment was accepted for its subject; false for an unmatched payment. */
  counts: boolean;
  reason?: string | undefined;
  lines: RefundedQuantityAtLineIndex[];
  restock: boolean;
  providerRefundId?: string | undefined;
  failure?: string | undefined;
  tries: number;
  createdAt: number;
  settledAt?: number | undefined;
}

export const refundTable = defineTable<Refund, RefundModel>('refunds', 'r', {
  id: 'fixed',
  attemptId: 'fixed',
  // Filled by a trigger where businesses can move to another server.
  businessId: 'apart',
  paymentId: 'fixed',
  amount: 'fixed',
  credit: 'fixed',
  currency: 'fixed',
  status: 'column',
  counts: 'fixed',
  reason: 'fixed',
  lines: 'json',
  restock: 'column',
  providerRefundId: 'column',
  failure: 'column',
  tries: 'column',
  createdAt: 'fixed',
  settledAt: 'column',
});

/** A stored event of a payment provider. */
interface StoredPaymentEvent
  extends Pick<PaymentEvent, 'id' | 'type' | 'reference' | 'paymentId' | 'amount' | 'currency'> {
  provider: string;
  /** Short description of its effect; undefined while it is being applied. */
  outcome?: string | undefined;
  receivedAt: number;
}

export const paymentEventTable = defineTable<StoredPaymentEvent, PaymentEventModel>('payment_events', 'e', {
  provider: 'fixed',
  id: 'fixed',
  type: 'fixed',
  reference: 'fixed',
  // Filled by a trigger where businesses can move to another server.
  businessId: 'apart',
  paymentId: 'fixed',
  amount: 'fixed',
  currency: 'fixed',
  outcome: 'column',
  receivedAt: 'fixed',
});
