/** Retention rules of API usage. Read by scripts/gather.ts. */
import type { RetentionRule } from '../../db/index.ts';

// Counts are stored per day, so that whole days expire.
export const retentionRules: readonly RetentionRule[] = [
  {
    retentionKey: 'usage',
    table: 'usage',
    expiredCondition: 'day < $1',
  },
];
