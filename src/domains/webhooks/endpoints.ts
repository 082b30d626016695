/** The endpoints of a business: registered, found, changed, given a new secret, deleted. */
import type { Context } from '../../context.ts';
import { lockNamed } from '../../db/named-lock.ts';
import type { Queries } from '../../db/sql.ts';
import { invalid, notFound } from '../../errors.ts';
import type { WebhookEndpoint as StoredEndpoint } from '../../generated/prisma/client.ts';
import { once } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import { keysOf, type Page, page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import { expectVersion, ofVersion } from '../../lib/version.ts';
import { seenByStaff } from '../shared/seen-by-staff.ts';
import type { CreateEndpoint, EndpointAddress, EndpointList, UpdateEndpoint } from './checks.ts';
import { masked, opened, type WebhookEndpoint } from './model.ts';
import { newSecret, rotationSeconds } from './rules.ts';
import { storedSecret } from './sealed.ts';

const maxEndpoints = 20;
const what = 'Webhook endpoint';

type At = Pick<EndpointAddress, 'businessId' | 'id'>;

export async function findEndpoint(
  ctx: Pick<Context, 'keys'> & { db: Queries },
  at: At,
): Promise<WebhookEndpoint | undefined> {
  const found = await read(ctx.db, at);
  return found ? masked(ctx, found) : undefined;
}

/** The endpoints among `ids` of businesses that the viewer administers, by id. */
export async function loadEndpointsAnywhere(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, WebhookEndpoint>> {
  const found = await ctx.db.prisma.webhookEndpoint.findMany({ where: { id: { in: [...ids] } } });
  return seenByStaff(
    ctx,
    ['ADMIN'],
    found.map((endpoint) => masked(ctx, endpoint)),
  );
}

export async function listEndpoints(ctx: Context, args: EndpointList): Promise<Page<WebhookEndpoint>> {
  const { webhookEndpoint } = ctx.db.prisma;
  const where = { businessId: args.businessId };
  return page<WebhookEndpoint>({
    secret: ctx.keys.secret,
    list: `webhook-endpoints:${args.businessId}`,
    args,
    keyOf: ({ id }) => id,
    async fetch(slice, take) {
      const { range, direction } = keysOf(slice, 'desc');
      const found = await webhookEndpoint.findMany({
        where: { ...where, id: range },
        orderBy: { id: direction },
        take,
      });
      return found.map((endpoint) => masked(ctx, endpoint));
    },
    count: () => webhookEndpoint.count({ where }),
  });
}

/** The answer is the only one that shows the secret. */
export async function createEndpoint(
  ctx: Context,
  { businessId, input }: CreateEndpoint,
): Promise<WebhookEndpoint> {
  const { id } = await once(ctx, 'createWebhookEndpoint', { businessId, input }, (queries) =>
    queries.transaction(async (tx) => {
      // One at a time, so that two requests cannot both be the last one allowed.
      await lockNamed(tx, `webhook-endpoints:${businessId}`);
      if ((await tx.prisma.webhookEndpoint.count({ where: { businessId } })) >= maxEndpoints) throw tooMany();
      const { description = '', ...given } = input;
      const data = { id: newId(), businessId, description, ...given, secret: storedSecret(ctx, newSecret()) };
      const time = now();
      return tx.prisma.webhookEndpoint.create({
        data: { ...data, createdAt: time, updatedAt: time },
        select: { id: true },
      });
    }),
  );
  return withSecret(ctx, { businessId, id });
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
    const isActive = status === 'ACTIVE';
    const changed = await tx.prisma.webhookEndpoint.update({
      where: { id },
      data: {
        url: input.url ?? current.url,
        description: input.description ?? current.description,
        events: input.events ?? current.events,
        status,
        disabledReason: isActive ? null : (current.disabledReason ?? 'MANUAL'),
        failingSince: isActive && current.status === 'DISABLED' ? null : current.failingSince,
        updatedAt: now(),
      },
    });
    return masked(ctx, changed);
  });
}

/** The old secret goes on signing beside the new one for a day: receivers change over when they can. */
export async function rotateSecret(ctx: Context, at: EndpointAddress): Promise<WebhookEndpoint> {
  await once(ctx, 'rotateWebhookSecret', at, (queries) =>
    queries.transaction(async (tx) => {
      const { id, secret } = await lock(tx, at);
      const time = now();
      return tx.prisma.webhookEndpoint.update({
        where: { id },
        data: {
          secret: storedSecret(ctx, newSecret()),
          previousSecret: secret,
          previousSecretUntil: time + rotationSeconds,
          updatedAt: time,
        },
        select: { id: true },
      });
    }),
  );
  return withSecret(ctx, at);
}

export function deleteEndpoint(ctx: Context, at: EndpointAddress): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    const { id } = await lock(tx, at);
    return tx.prisma.webhookEndpoint.delete({ where: { id }, select: { id: true } });
  });
}

/** Read again, not remembered: what is kept for retries must not hold a secret. */
async function withSecret(ctx: Context, at: At): Promise<WebhookEndpoint> {
  const found = await read(ctx.db, at);
  if (!found) throw notFound(what);
  return opened(ctx, found);
}

/** Every change is a new version; writing that first locks the row for what follows. */
async function lock(tx: Queries, { businessId, id, version }: EndpointAddress): Promise<StoredEndpoint> {
  if (!isId(businessId) || !isId(id)) throw notFound(what);
  const [changed] = await tx.prisma.webhookEndpoint.updateManyAndReturn({
    where: { businessId, id, ...ofVersion(version) },
    data: { version: { increment: 1 } },
  });
  if (changed) return changed;
  const current = await read(tx, { businessId, id });
  if (current) expectVersion(current.version, version);
  throw notFound(what);
}

const read = async ({ prisma }: Queries, { businessId, id }: At): Promise<StoredEndpoint | null> =>
  isId(businessId) && isId(id) ? prisma.webhookEndpoint.findFirst({ where: { businessId, id } }) : null;
