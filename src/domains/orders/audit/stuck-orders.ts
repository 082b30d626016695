/** Orders that should have ended by now: unpaid, and long past the moment they expire. */
import type { Queries } from '../../../db/handles.ts';
import { now } from '../../../lib/time.ts';

/** The job that ends them runs every minute; this is more than a few times too late. */
const lateSeconds = 600;

export interface StuckOrder {
  id: string;
  businessId: string;
  /** When it should have ended. */
  expiresAt: number;
}

/** Oldest first. */
export const listStuckOrders = (queries: Queries, limit: number): Promise<StuckOrder[]> =>
  queries.sql(
    `select id, business_id as "businessId", expires_at as "expiresAt" from orders
     where status = 'PENDING' and payment_status in ('PENDING', 'FAILED') and expires_at <= $1
     order by expires_at limit $2`,
    [now() - lateSeconds, limit],
  );
