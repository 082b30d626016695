/** What of webhooks grows old. Events go with their deliveries. */
import type { RetentionRule } from '../../db/delete-expired-rows.ts';

export const sweeps: readonly RetentionRule[] = [
  { retentionKey: 'webhooks', table: 'webhook_events', expiredCondition: 'created_at < $1' },
];
