/** Attempts to pay, refunds, and what providers have told, with their tables. */
import { defineTable } from '../../db/records/table.ts';
import type { PaymentAttemptModel, PaymentEventModel, RefundModel } from '../../generated/prisma/models.ts';
import type { PaymentEvent } from '../../ports/payments.ts';

/** What can be paid for. */
export type PaymentSubjectKind = 'order' | 'subscription';

/**
 * NEW until the page is made, PROCESSING while the money is on its way. PAID: the money is what was asked for, and counts. RETURNED:
 * money came that fits nothing, and goes back. CLOSED: nobody can pay any more.
 */
export const paymentAttemptStates = ['NEW', 'OPEN', 'PROCESSING', 'PAID', 'RETURNED', 'CLOSED'] as const;
export type PaymentAttemptState = (typeof paymentAttemptStates)[number];

export interface PaymentAttempt {
  id: string;
  reference: string;
  kind: string;
  subjectId: string;
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
  createdAt: number;
  updatedAt: number;
}

export const paymentAttempts = defineTable<PaymentAttempt, PaymentAttemptModel>('payment_attempts', 'a', {
  id: 'fixed',
  reference: 'fixed',
  kind: 'fixed',
  subjectId: 'fixed',
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
  checkedAt: 'apart',
  createdAt: 'fixed',
  updatedAt: 'column',
});

/** What payments are called at the provider. */
export const buildPaymentReference = (kind: PaymentSubjectKind, subjectId: string, number = 1): string =>
  number > 1 ? `${kind}:${subjectId}:${number}` : `${kind}:${subjectId}`;

export const refundStatuses = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export interface RefundLine {
  /** Position in the order. */
  line: number;
  quantity: number;
  /** Whose units they are: says which line is meant should the positions have changed. Absent in older refunds. */
  variantId?: string | undefined;
  /** False: these stay out of stock, whatever becomes of the others of the refund. */
  restock?: boolean | undefined;
}

export interface Refund {
  id: string;
  attemptId: string;
  paymentId: string;
  amount: number;
  currency: string;
  status: RefundStatus;
  /** Whether the money was counted as payment. */
  counts: boolean;
  reason?: string | undefined;
  lines: RefundLine[];
  restock: boolean;
  providerRefundId?: string | undefined;
  failure?: string | undefined;
  tries: number;
  createdAt: number;
  settledAt?: number | undefined;
}

export const refunds = defineTable<Refund, RefundModel>('refunds', 'r', {
  id: 'fixed',
  attemptId: 'fixed',
  paymentId: 'fixed',
  amount: 'fixed',
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

/** What a provider has told, as it is written down. */
export interface StoredPaymentEvent
  extends Pick<PaymentEvent, 'id' | 'type' | 'reference' | 'paymentId' | 'amount' | 'currency'> {
  provider: string;
  /** A word for what it did; absent while it is being applied. */
  outcome?: string | undefined;
  receivedAt: number;
}

export const paymentEvents = defineTable<StoredPaymentEvent, PaymentEventModel>('payment_events', 'e', {
  provider: 'fixed',
  id: 'fixed',
  type: 'fixed',
  reference: 'fixed',
  paymentId: 'fixed',
  amount: 'fixed',
  currency: 'fixed',
  outcome: 'column',
  receivedAt: 'fixed',
});
