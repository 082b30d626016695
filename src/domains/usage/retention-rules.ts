/** Retention rules of API usage. Read by scripts/gather.ts. */
import type { RetentionRule } from '../../db/index.ts';

export const retentionRules: readonly RetentionRule[] = [
  {
    retentionKey: 'usage',
    table: 'usage',
    expiredCondition: 'day < $1',
  },
];
