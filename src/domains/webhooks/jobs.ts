/** What webhooks do in the background. */
import { deliverWebhooksJob } from './delivery/deliver-webhooks.ts';

export const jobs = [deliverWebhooksJob];
