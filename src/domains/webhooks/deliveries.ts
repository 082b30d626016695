/** What was sent, or is to be sent: found, listed, sent again, tried out. */

import { holds, permissionHolder } from '../../auth/holds.ts';
import type { Context } from '../../context.ts';
import { ownedPage } from '../../db/owned-page.ts';
import type { Queries } from '../../db/sql.ts';
import type { Row } from '../../db/table.ts';
import { invalid, notFound } from '../../errors.ts';
import type { EventData } from '../../generated/domains/event-data.ts';
import { once } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import { wake } from './announce.ts';
import type { DeliveryAddress, DeliveryList, EndpointAddress } from './checks.ts';
import { findEndpoint } from './endpoints.ts';
import { testType } from './events.ts';
import { deliveryColumns, deliveryTables, isItsEvent, toDelivery, type WebhookDelivery } from './model.ts';

const isAdmin = holds('d.business_id', '$2');

/** Of one endpoint, or of all that the business has. */
export async function listDeliveries(ctx: Context, filter: DeliveryList): Promise<Page<WebhookDelivery>> {
  const { businessId, endpointId, status } = filter;
  if (endpointId !== undefined && !(await findEndpoint(ctx, { businessId, id: endpointId })))
    throw notFound('Webhook endpoint');
  const owner = endpointId ?? (isId(businessId) ? businessId : null);
  return ownedPage<Row, WebhookDelivery>(ctx, {
    list: `webhook-deliveries:${owner}`,
    args: filter,
    columns: deliveryColumns,
    table: deliveryTables,
    owner: endpointId === undefined ? 'd.business_id' : 'd.endpoint_id',
    params: [owner],
    // Not a parameter: failures have an index of their own, which a plan for any status could not use.
    conditions: status ? [isItsEvent, `d.status = '${status}'`] : [isItsEvent],
    toNodes: (rows) => rows.map(toDelivery),
  });
}

export async function findDelivery(
  { db }: { db: Queries },
  { businessId, endpointId, id }: DeliveryAddress,
): Promise<WebhookDelivery | undefined> {
  if (!isId(businessId) || !isId(id) || (endpointId !== undefined && !isId(endpointId))) return undefined;
  const [row] = await db.sql<Row>(
    `select ${deliveryColumns} from ${deliveryTables}
     where d.business_id = $1 and d.id = $2 and ($3::uuid is null or d.endpoint_id = $3) and ${isItsEvent}`,
    [businessId, id, endpointId ?? null],
  );
  return row && toDelivery(row);
}

/** The deliveries among `ids` of businesses that the viewer administers, by id. */
export async function loadDeliveriesAnywhere(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, WebhookDelivery>> {
  const rows = await ctx.db.sql<Row>(
    `select ${deliveryColumns} from ${deliveryTables} where d.id = any($1::uuid[]) and ${isItsEvent} and ${isAdmin}`,
    [ids, permissionHolder(ctx.viewer, 'ADMIN')],
  );
  return new Map(rows.map(toDelivery).map((delivery) => [delivery.id, delivery]));
}

/** Sends it again, or at once if it is waiting, with all its attempts before it. */
export function replayDelivery(ctx: Context, at: DeliveryAddress): Promise<WebhookDelivery> {
  return ctx.db.transaction(async (tx) => {
    const found = await findDelivery({ db: tx }, at);
    if (!found) throw notFound('Webhook delivery');
    await expectActive(ctx, tx, at.businessId, found.endpointId);
    await tx.sql(
      `update webhook_deliveries set status = 'PENDING', attempts_before = attempts, next_attempt_at = $2, delivered_at = null
       where id = $1`,
      [found.id, now()],
    );
    await wake(ctx, tx, { deliveries: 1 });
    return shown(await findDelivery({ db: tx }, at));
  });
}

/** An event for this endpoint alone, whatever it is subscribed to. */
export function testEndpoint(ctx: Context, { businessId, id }: EndpointAddress): Promise<WebhookDelivery> {
  return once(ctx, 'testWebhookEndpoint', { businessId, id }, (queries) =>
    queries.transaction(async (tx) => {
      const endpoint = await expectActive(ctx, tx, businessId, id);
      const delivery = { id: newId(), eventId: newId(), endpointId: endpoint.id, time: now() };
      await tx.sql(
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
          testType,
          JSON.stringify({ businessId, endpointId: endpoint.id } satisfies EventData[typeof testType]),
        ],
      );
      await wake(ctx, tx, { deliveries: 1 });
      return shown(await findDelivery({ db: tx }, { businessId, endpointId: undefined, id: delivery.id }));
    }),
  );
}

async function expectActive({ keys }: Context, tx: Queries, businessId: string, id: string) {
  const endpoint = await findEndpoint({ keys, db: tx }, { businessId, id });
  if (!endpoint) throw notFound('Webhook endpoint');
  if (endpoint.status === 'ACTIVE') return endpoint;
  throw invalid({
    field: 'id',
    error: 'ENDPOINT_DISABLED',
    message: 'The endpoint is disabled. Set its status to ACTIVE first.',
  });
}

function shown(delivery: WebhookDelivery | undefined): WebhookDelivery {
  if (!delivery) throw notFound('Webhook delivery');
  return delivery;
}
