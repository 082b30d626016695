/** What checkout does in the background. */
import { expireOrdersJob } from './expiry.ts';
import { paymentEventJob } from './payment-events.ts';
import { settleRefundJob } from './refunds.ts';

export const jobs = [expireOrdersJob, paymentEventJob, settleRefundJob];
