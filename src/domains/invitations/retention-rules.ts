/** Retention rules of invitations. Read by scripts/gather.ts. */
import type { RetentionRule } from '../../db/index.ts';

export const retentionRules: readonly RetentionRule[] = [
  // Accepted and revoked invitations as well: 30 days after the time at which they would have expired.
  {
    retentionKey: 'expired',
    table: 'invitations',
    expiredCondition: 'expires_at < $1 - 30 * 86400',
  },
];
