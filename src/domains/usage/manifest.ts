/** Manifest of API usage: retention rules, registrations with other domains. Read by scripts/gather.ts. */
import './erase-usage.ts';
import type { RetentionRule } from '../../db/index.ts';

export const retentionRules: readonly RetentionRule[] = [
  { retentionKey: 'usage', table: 'usage', expiredCondition: 'day < $1' },
];
