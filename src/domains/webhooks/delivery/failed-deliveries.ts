/** Failed deliveries of all businesses: list and retry, for operators. */
import type { Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { isId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { enqueueWebhookDeliveryJob } from '../emit-events.ts';

/** Newest first, excluding the ids in `except`. */
export const listFailedWebhookDeliveries = (
  queries: QueryHandle,
  limit: number,
  except: readonly string[],
): Promise<{ id: string; at: number; subject: string; reason: string }[]> =>
  queries.sql(
    `select d.id::text as id, coalesce(d.last_attempt_at, d.created_at) as at, v.type || ' to ' || w.url as subject,
       coalesce(d.last_error, 'HTTP ' || d.last_status_code, '') as reason
     from webhook_deliveries d join webhook_events v on v.id = d.event_id join webhook_endpoints w on w.id = d.endpoint_id
     where d.status = 'FAILED' and d.id::text <> all($2::text[]) order by at desc, d.id limit $1`,
    [limit, except],
  );

/** False when no failed delivery has this id, or its endpoint is disabled: only the business may enable it. */
export async function retryFailedWebhookDelivery(
  services: Pick<Services, 'db' | 'jobs' | 'log'>,
  id: string,
): Promise<boolean> {
  if (!isId(id)) return false;
  return services.db.transaction(async (tx) => {
    const retried = await tx.write(
      `update webhook_deliveries d set status = 'PENDING', attempts_before = d.attempts, next_attempt_at = $2
       from webhook_endpoints w
       where d.id = $1 and d.status = 'FAILED' and w.id = d.endpoint_id and w.status = 'ACTIVE' returning 1`,
      [id, now()],
    );
    await enqueueWebhookDeliveryJob(services, tx, { deliveries: retried.length });
    return retried.length > 0;
  });
}
