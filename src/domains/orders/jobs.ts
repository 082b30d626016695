/** What orders do in the background. */

import { lowStockJob } from './manage/report-low-stock.ts';
import { expireOrdersJob } from './payment/expire-orders.ts';

export const jobs = [expireOrdersJob, lowStockJob];
