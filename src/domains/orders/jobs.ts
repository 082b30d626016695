/** What orders do in the background. */
import { closeSessionJob } from './cancel.ts';
import { expireOrdersJob } from './expiry.ts';
import { lowStockJob } from './low-stock.ts';
import { settleRefundJob } from './refunds.ts';

export const jobs = [expireOrdersJob, settleRefundJob, closeSessionJob, lowStockJob];
