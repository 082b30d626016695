/** What orders do in the background. */
import { expireOrdersJob } from './expiry.ts';
import { lowStockJob } from './low-stock.ts';

export const jobs = [expireOrdersJob, lowStockJob];
