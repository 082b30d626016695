/** The endpoints of a business: registered, found, changed, given a new secret, deleted. */

import type { Context } from '../../context.ts';
import { ownedPage } from '../../db/owned-page.ts';
import type { Queries } from '../../db/sql.ts';
import { invalid, notFound } from '../../errors.ts';
import { once } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import type { Page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import type { CreateEndpoint, EndpointAddress, EndpointList, UpdateEndpoint } from './checks.ts';
import { type EndpointRow, endpointColumns, toEndpoint, type WebhookEndpoint, withSecret } from './model.ts';
import { newSecret, rotationSeconds } from './rules.ts';

const maxEndpoints = 20;
const what = 'Webhook endpoint';

export async function findEndpoint(
  { db }: { db: Queries },
  { businessId, id }: Pick<EndpointAddress, 'businessId' | 'id'>,
): Promise<WebhookEndpoint | undefined> {
  const row = await read(db, businessId, id);
  return row && toEndpoint(row);
}

export const listEndpoints = (ctx: Context, args: EndpointList): Promise<Page<WebhookEndpoint>> =>
  ownedPage<EndpointRow, WebhookEndpoint>(ctx, {
    list: `webhook-endpoints:${args.businessId}`,
    args,
    columns: endpointColumns,
    table: 'webhook_endpoints w',
    owner: 'w.business_id',
    params: [isId(args.businessId) ? args.businessId : null],
    conditions: [],
    toNodes: (rows) => rows.map(toEndpoint),
  });

/** The answer is the only one that shows the secret. */
export async function createEndpoint(
  ctx: Context,
  { businessId, input }: CreateEndpoint,
): Promise<WebhookEndpoint> {
  const { url, description = '', events } = input;
  const row = await once(ctx, 'createWebhookEndpoint', { businessId, input }, (queries) =>
    queries.transaction(async (tx) => {
      // One at a time, so that two requests cannot both be the last one allowed.
      await tx.sql('select id from businesses where id = $1 for no key update', [businessId]);
      const [created] = await tx.sql<EndpointRow>(
        `insert into webhook_endpoints as w (id, business_id, url, description, events, secret, created_at, updated_at)
         select $1, $2, $3, $4, $5::text[], $6, $7, $7
         where (select count(*) from webhook_endpoints where business_id = $2) < ${maxEndpoints}
         returning ${endpointColumns}`,
        [newId(), businessId, url, description, events, newSecret(), now()],
      );
      if (!created) throw tooMany();
      return created;
    }),
  );
  return withSecret(row);
}

const tooMany = () =>
  invalid({
    field: 'url',
    error: 'TOO_MANY_ENDPOINTS',
    message: `A business may have at most ${maxEndpoints} webhook endpoints.`,
  });

export function updateEndpoint(
  ctx: Context,
  { businessId, id, version, input }: UpdateEndpoint,
): Promise<WebhookEndpoint> {
  return ctx.db.transaction(async (tx) => {
    const current = await lock(tx, { businessId, id, version });
    const status = input.status ?? current.status;
    const [changed] = await tx.sql<EndpointRow>(
      `update webhook_endpoints w set url = $2, description = $3, events = $4::text[], status = $5::"WebhookEndpointStatus",
         disabled_reason = case when $5 = 'ACTIVE' then null else coalesce(w.disabled_reason, 'MANUAL') end,
         failing_since = case when $5 = 'ACTIVE' and w.status = 'DISABLED' then null else w.failing_since end,
         version = w.version + 1, updated_at = $6
       where w.id = $1 returning ${endpointColumns}`,
      [
        current.id,
        input.url ?? current.url,
        input.description ?? current.description,
        input.events ?? current.events,
        status,
        now(),
      ],
    );
    if (!changed) throw notFound(what);
    return toEndpoint(changed);
  });
}

/** The old secret goes on signing beside the new one for a day: receivers change over when they can. */
export async function rotateSecret(ctx: Context, at: EndpointAddress): Promise<WebhookEndpoint> {
  const row = await once(ctx, 'rotateWebhookSecret', at, (queries) =>
    queries.transaction(async (tx) => {
      const current = await lock(tx, at);
      const time = now();
      const [changed] = await tx.sql<EndpointRow>(
        `update webhook_endpoints w set secret = $2, previous_secret = w.secret, previous_secret_until = $3,
           version = w.version + 1, updated_at = $4
         where w.id = $1 returning ${endpointColumns}`,
        [current.id, newSecret(), time + rotationSeconds, time],
      );
      if (!changed) throw notFound(what);
      return changed;
    }),
  );
  return withSecret(row);
}

export function deleteEndpoint(ctx: Context, at: EndpointAddress): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    const { id } = await lock(tx, at);
    await tx.sql('delete from webhook_endpoints where id = $1', [id]);
    return { id };
  });
}

async function lock(tx: Queries, { businessId, id, version }: EndpointAddress): Promise<EndpointRow> {
  // Not the strongest lock: changes that write deliveries for it need not wait.
  const row = await read(tx, businessId, id, 'for no key update');
  if (!row) throw notFound(what);
  expectVersion(row.version, version);
  return row;
}

async function read(
  queries: Queries,
  businessId: string,
  id: string,
  locking = '',
): Promise<EndpointRow | undefined> {
  if (!isId(businessId) || !isId(id)) return undefined;
  const [row] = await queries.sql<EndpointRow>(
    `select ${endpointColumns} from webhook_endpoints w where w.business_id = $1 and w.id = $2 ${locking}`,
    [businessId, id],
  );
  return row;
}
