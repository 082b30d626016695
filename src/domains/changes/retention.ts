/** What of the history grows old. Nothing else may go from it: the database refuses everybody but the sweep. */
import type { RetentionRule } from '../../db/delete-expired-rows.ts';

export const sweeps: readonly RetentionRule[] = [
  { retentionKey: 'changes', table: 'changes', expiredCondition: 'created_at < $1 order by created_at' },
];
