/** Jobs and retention rules of webhooks. Read by scripts/gather.ts. */
import type { RetentionRule } from '../../db/index.ts';
import { deliverWebhooksJob } from './delivery/deliver-webhooks.ts';

export const jobs = [deliverWebhooksJob];

// Deleting an event deletes its deliveries (foreign key with cascade).
export const retentionRules: readonly RetentionRule[] = [
  {
    retentionKey: 'webhooks',
    table: 'webhook_events',
    expiredCondition: 'created_at < $1',
  },
];
