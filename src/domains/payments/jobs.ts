/** What payments do in the background. */
import { paymentEventJob } from './receive-event.ts';

export const jobs = [paymentEventJob];
