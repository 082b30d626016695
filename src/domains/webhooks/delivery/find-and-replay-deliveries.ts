/** Finds, lists and replays webhook deliveries. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import type { Context } from '../../../context.ts';
import {
  definePageRecordSource,
  loadOwnedPage,
  type QueryHandle,
  type UntypedRow,
} from '../../../db/index.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { isId } from '../../../lib/ids.ts';
import type { Page } from '../../../lib/paging.ts';
import { now } from '../../../lib/time.ts';
import { enqueueWebhookDeliveryJob } from '../emit-events.ts';
import { findWebhookEndpoint } from '../manage-webhook-endpoints.ts';
import {
  toWebhookDelivery,
  type WebhookDelivery,
  webhookDeliveryColumnsSql,
  webhookDeliveryEventJoinSql,
  webhookDeliveryTablesSql,
} from '../model.ts';
import type { ListWebhookDeliveriesArgs, WebhookDeliveryRef } from '../schemas.ts';

const isAdmin = buildPermissionConditionSql('d.business_id', '$2');

/** Lists the deliveries of one endpoint, or of all endpoints of the business. */
export async function listWebhookDeliveries(
  ctx: Context,
  filter: ListWebhookDeliveriesArgs,
): Promise<Page<WebhookDelivery>> {
  const { businessId, endpointId, status } = filter;
  if (endpointId !== undefined && !(await findWebhookEndpoint(ctx, { businessId, id: endpointId })))
    throw notFoundError('Webhook endpoint');
  const owner = endpointId ?? (isId(businessId) ? businessId : null);
  return loadOwnedPage(ctx, {
    records: webhookDeliveryRecords,
    list: `webhook-deliveries:${owner}`,
    args: filter,
    owner: endpointId === undefined ? 'd.business_id' : 'd.endpoint_id',
    params: [owner],
    // The status is a literal, not a parameter: a generic plan could not use the partial index on failed deliveries.
    conditions: status
      ? [webhookDeliveryEventJoinSql, `d.status = '${status}'`]
      : [webhookDeliveryEventJoinSql],
  });
}

const webhookDeliveryRecords = definePageRecordSource({
  columns: webhookDeliveryColumnsSql,
  table: webhookDeliveryTablesSql,
  toNodes: (rows: readonly UntypedRow[], _params: readonly unknown[]) => rows.map(toWebhookDelivery),
});

export async function findWebhookDelivery(
  { db }: { db: QueryHandle },
  { businessId, endpointId, id }: WebhookDeliveryRef,
): Promise<WebhookDelivery | undefined> {
  if (!isId(businessId) || !isId(id) || (endpointId !== undefined && !isId(endpointId))) return undefined;
  const [row] = await db.sql<UntypedRow>(
    `select ${webhookDeliveryColumnsSql} from ${webhookDeliveryTablesSql}
     where d.business_id = $1 and d.id = $2 and ($3::uuid is null or d.endpoint_id = $3) and ${webhookDeliveryEventJoinSql}`,
    [businessId, id, endpointId ?? null],
  );
  return row && toWebhookDelivery(row);
}

/** Loads the deliveries among `ids` that belong to businesses which the viewer administers, by id. */
export async function loadAdministeredWebhookDeliveries(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, WebhookDelivery>> {
  const rows = await ctx.db.sql<UntypedRow>(
    `select ${webhookDeliveryColumnsSql} from ${webhookDeliveryTablesSql} where d.id = any($1::uuid[]) and ${webhookDeliveryEventJoinSql} and ${isAdmin}`,
    [ids, ctx.viewer.userIdForPermissionSql('ADMIN')],
  );
  return new Map(rows.map(toWebhookDelivery).map((delivery) => [delivery.id, delivery]));
}

/** Makes the delivery due now, in any status, with the full number of attempts again. */
export function replayWebhookDelivery(ctx: Context, address: WebhookDeliveryRef): Promise<WebhookDelivery> {
  return ctx.db.transaction(async (tx) => {
    const existing = await findWebhookDelivery({ db: tx }, address);
    if (!existing) throw notFoundError('Webhook delivery');
    await requireActiveEndpoint(ctx, tx, address.businessId, existing.endpointId);
    await tx.write(
      `update webhook_deliveries set status = 'PENDING', attempts_before = attempts, next_attempt_at = $2, delivered_at = null
       where id = $1`,
      [existing.id, now()],
    );
    await enqueueWebhookDeliveryJob(ctx, tx, { deliveries: 1 });
    return requireDelivery(await findWebhookDelivery({ db: tx }, address));
  });
}

export async function requireActiveEndpoint(
  { keys }: Context,
  tx: QueryHandle,
  businessId: string,
  id: string,
) {
  const endpoint = await findWebhookEndpoint({ keys, db: tx }, { businessId, id });
  if (!endpoint) throw notFoundError('Webhook endpoint');
  if (endpoint.status === 'ACTIVE') return endpoint;
  throw validationError(
    'id',
    'ENDPOINT_DISABLED',
    'The endpoint is disabled. Set its status to ACTIVE first.',
  );
}

export function requireDelivery(delivery: WebhookDelivery | undefined): WebhookDelivery {
  if (!delivery) throw notFoundError('Webhook delivery');
  return delivery;
}
