/** Query for unpaid orders that the expiry job should have cancelled long ago. */
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';

/** Tolerance after `expiresAt`. The job runs every minute, so 10 minutes means several failed runs. */
const lateSeconds = 600;

export interface OverdueUnpaidOrder {
  id: string;
  businessId: string;
  /** Unix time, in seconds, at which the order should have been cancelled. */
  expiresAt: number;
}

/** Ordered by `expiresAt`, oldest first. */
export const listUnpaidOrdersMissedByExpiry = (
  queries: QueryHandle,
  limit: number,
): Promise<OverdueUnpaidOrder[]> =>
  queries.sql(
    `select id, business_id as "businessId", expires_at as "expiresAt" from orders
     where status = 'PENDING' and payment_status in ('PENDING', 'FAILED') and expires_at <= $1
     order by expires_at limit $2`,
    [now() - lateSeconds, limit],
  );
