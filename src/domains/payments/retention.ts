/** What of payments grows old: by then no provider delivers an event again. */
import type { RetentionRule } from '../../db/delete-expired-rows.ts';

export const sweeps: readonly RetentionRule[] = [
  { retentionKey: 'paymentEvents', table: 'payment_events', expiredCondition: 'received_at < $1' },
];
