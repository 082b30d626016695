/** What payments do in the background. */
import { closeSessionJob } from './attempts.ts';
import { billDueJob } from './billing.ts';
import { paymentEventJob } from './receive-event.ts';
import { reconcileJob } from './reconcile.ts';
import { settleRefundJob } from './refunds.ts';

export const jobs = [paymentEventJob, settleRefundJob, closeSessionJob, billDueJob, reconcileJob];
