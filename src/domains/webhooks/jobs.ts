/** What webhooks do in the background. */
import { deliverJob } from './deliver.ts';

export const jobs = [deliverJob];
