/** `testWebhookEndpoint`: sends a test event to an endpoint. */
import type { Context } from '../../../context.ts';
import type { EventData } from '../../../generated/domains/event-data.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { enqueueWebhookDeliveryJob } from '../emit-events.ts';
import type { WebhookDelivery } from '../model.ts';
import type { WebhookEndpointRef } from '../schemas.ts';
import { testWebhookEventType } from '../webhook-event-types.ts';
import {
  findWebhookDelivery,
  requireActiveWebhookEndpoint,
  requireWebhookDelivery,
} from './find-and-replay-deliveries.ts';

/** Creates a webhook.test event for this endpoint alone, independent of its subscribed events. */
export function testWebhookEndpoint(
  ctx: Context,
  { businessId, id }: WebhookEndpointRef,
): Promise<WebhookDelivery> {
  return runIdempotent(ctx, 'testWebhookEndpoint', { businessId, id }, (queries) =>
    queries.transaction(async (tx) => {
      const endpoint = await requireActiveWebhookEndpoint(ctx, tx, businessId, id);
      const delivery = { id: newId(), eventId: newId(), endpointId: endpoint.id, time: now() };
      await tx.write(
        `with event as (
           insert into webhook_events (id, business_id, type, data, created_at) values ($2, $3, $6, $7::json, $5)
         )
         insert into webhook_deliveries (id, business_id, event_id, endpoint_id, next_attempt_at, created_at)
         values ($1, $3, $2, $4, $5, $5)`,
        [
          delivery.id,
          delivery.eventId,
          businessId,
          endpoint.id,
          delivery.time,
          testWebhookEventType,
          JSON.stringify({
            businessId,
            endpointId: endpoint.id,
          } satisfies EventData[typeof testWebhookEventType]),
        ],
      );
      await enqueueWebhookDeliveryJob(ctx, tx, { deliveries: 1 });
      return requireWebhookDelivery(
        await findWebhookDelivery({ db: tx }, { businessId, endpointId: undefined, id: delivery.id }),
      );
    }),
  );
}
