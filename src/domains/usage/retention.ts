/** What of usage grows old. */
import type { RetentionRule } from '../../db/delete-expired-rows.ts';

export const sweeps: readonly RetentionRule[] = [
  { retentionKey: 'usage', table: 'usage', expiredCondition: 'day < $1' },
];
