/** What payments do in the background. */
import { closePaymentSessionJob } from './payment-attempts.ts';
import { billSandboxRenewalsJob, paymentEventJob } from './receive-event.ts';
import { reconcileJob } from './reconcile/reconcile-payments.ts';
import { settleRefundJob } from './refunds.ts';

export const jobs = [
  paymentEventJob,
  settleRefundJob,
  closePaymentSessionJob,
  billSandboxRenewalsJob,
  reconcileJob,
];
