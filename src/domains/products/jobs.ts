/** What products do in the background. */
import { checkStockJob } from './audit.ts';

export const jobs = [checkStockJob];
