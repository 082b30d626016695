/** What products do in the background. */
import { checkStockJob } from './stock/audit-stock.ts';

export const jobs = [checkStockJob];
