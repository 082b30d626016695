/** Manifest of the audit log (changes): retention rules, registrations with other domains. Read by scripts/gather.ts. */
import './register-user-activity.ts';
import type { RetentionRule } from '../../db/index.ts';

// A trigger rejects every other delete and update of this table.
export const retentionRules: readonly RetentionRule[] = [
  { retentionKey: 'changes', table: 'changes', expiredCondition: 'created_at < $1 order by created_at' },
];
