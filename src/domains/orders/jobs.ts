/** What orders do in the background. */
import { closeSessionJob } from './cancel.ts';
import { lowStockJob } from './low-stock.ts';

export const jobs = [closeSessionJob, lowStockJob];
