/** Retention rules of the audit log. Read by scripts/gather.ts. */
import type { RetentionRule } from '../../db/index.ts';

// A trigger rejects every other delete and update of this table.
export const retentionRules: readonly RetentionRule[] = [
  {
    retentionKey: 'changes',
    table: 'changes',
    expiredCondition: 'created_at < $1 order by created_at',
  },
];
