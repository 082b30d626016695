/** Jobs and retention rules of payments. Read by scripts/gather.ts. */
import type { RetentionRule } from '../../db/index.ts';
import { chargeSandboxRenewalsJob } from './charge-sandbox-renewals.ts';
import { closePaymentSessionJob } from './close-payment-attempts.ts';
import { paymentEventJob } from './receive-payment-event.ts';
import {
  findLostSessionsJob,
  findRecentSessionsJob,
} from './reconcile/find-and-record-unrecorded-sessions.ts';
import { reconcilePaymentsJob } from './reconcile/reconcile-payments.ts';
import { submitRefundJob } from './schedule-submit-and-load-refunds.ts';

export const jobs = [
  paymentEventJob,
  submitRefundJob,
  closePaymentSessionJob,
  chargeSandboxRenewalsJob,
  reconcilePaymentsJob,
  findRecentSessionsJob,
  findLostSessionsJob,
];

// After this time no provider redelivers an event, so deduplication no longer needs the row.
export const retentionRules: readonly RetentionRule[] = [
  { retentionKey: 'paymentEvents', table: 'payment_events', expiredCondition: 'received_at < $1' },
];
