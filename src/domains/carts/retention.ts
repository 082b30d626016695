/** What of carts grows old: those that nobody has changed for long. */
import type { RetentionRule } from '../../db/delete-expired-rows.ts';

export const sweeps: readonly RetentionRule[] = [
  { retentionKey: 'carts', table: 'carts', expiredCondition: 'updated_at < $1' },
];
