/** Erasure of personal data from stored webhook events. Events of orders contain no other personal data than tracking numbers. */
import type { QueryHandle } from '../../db/index.ts';

/** Deliveries that are repeated later send the event without the tracking number. */
export async function eraseParcelTrackingFromEvents(
  tx: QueryHandle,
  businessId: string,
  orderId: string,
): Promise<void> {
  await tx.write(
    `update webhook_events set data = (data::jsonb #- '{fulfilment,trackingNumber}' #- '{fulfilment,trackingUrl}')::json
     where business_id = $1 and type in ('order.fulfilled', 'order.fulfilment_updated') and data ->> 'id' = $2::text`,
    [businessId, orderId],
  );
}
