/** Manifest of invitations: retention rules, registrations with other domains. Read by scripts/gather.ts. */
import './export-and-erase-personal-data.ts';
import type { RetentionRule } from '../../db/index.ts';

export const retentionRules: readonly RetentionRule[] = [
  // Accepted and revoked invitations as well: 30 days after the time at which they would have expired.
  {
    retentionKey: 'expired',
    table: 'invitations',
    expiredCondition: 'expires_at < $1 - 30 * 86400',
  },
];
