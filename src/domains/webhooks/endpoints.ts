/** The endpoints of a business: registered, found, changed, given a new secret, deleted. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/handles.ts';
import { takeAdvisoryLock } from '../../db/transaction.ts';
import { notFoundError, validationError } from '../../errors.ts';
import type { WebhookEndpoint as StoredEndpoint } from '../../generated/prisma/client.ts';
import { runIdempotent } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import { assertVersion, versionCondition } from '../../lib/optimistic-locking.ts';
import { keysetRange, loadPage, type Page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import { filterVisibleToStaff } from '../shared/staff-visibility.ts';
import { maskEndpointSecret, revealEndpointSecret, type WebhookEndpoint } from './model.ts';
import { createWebhookSecret, secretRotationSeconds } from './rules.ts';
import type {
  CreateWebhookEndpointArgs,
  ListWebhookEndpointsArgs,
  UpdateWebhookEndpointArgs,
  WebhookEndpointAddress,
} from './schemas.ts';
import { encryptWebhookSecret } from './secret-encryption.ts';

const maxEndpoints = 20;
const what = 'Webhook endpoint';

type At = Pick<WebhookEndpointAddress, 'businessId' | 'id'>;

export async function findWebhookEndpoint(
  ctx: Pick<Context, 'keys'> & { db: Queries },
  at: At,
): Promise<WebhookEndpoint | undefined> {
  const found = await read(ctx.db, at);
  return found ? maskEndpointSecret(ctx, found) : undefined;
}

/** The endpoints among `ids` of businesses that the viewer administers, by id. */
export async function loadEndpointsForAdmin(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, WebhookEndpoint>> {
  const found = await ctx.db.prisma.webhookEndpoint.findMany({ where: { id: { in: [...ids] } } });
  return filterVisibleToStaff(
    ctx,
    ['ADMIN'],
    found.map((endpoint) => maskEndpointSecret(ctx, endpoint)),
  );
}

export async function listWebhookEndpoints(
  ctx: Context,
  args: ListWebhookEndpointsArgs,
): Promise<Page<WebhookEndpoint>> {
  const { webhookEndpoint } = ctx.db.prisma;
  const where = { businessId: args.businessId };
  return loadPage<WebhookEndpoint>({
    secret: ctx.keys.secret,
    list: `webhook-endpoints:${args.businessId}`,
    args,
    keyOf: ({ id }) => id,
    async fetch(slice, take) {
      const { range, direction } = keysetRange(slice, 'desc');
      const found = await webhookEndpoint.findMany({
        where: { ...where, id: range },
        orderBy: { id: direction },
        take,
      });
      return found.map((endpoint) => maskEndpointSecret(ctx, endpoint));
    },
    count: () => webhookEndpoint.count({ where }),
  });
}

/** The answer is the only one that shows the secret. */
export async function createWebhookEndpoint(
  ctx: Context,
  { businessId, input }: CreateWebhookEndpointArgs,
): Promise<WebhookEndpoint> {
  const { id } = await runIdempotent(ctx, 'createWebhookEndpoint', { businessId, input }, (queries) =>
    queries.transaction(async (tx) => {
      // One at a time, so that two requests cannot both be the last one allowed.
      await takeAdvisoryLock(tx, `webhook-endpoints:${businessId}`);
      if ((await tx.prisma.webhookEndpoint.count({ where: { businessId } })) >= maxEndpoints) throw tooMany();
      const { description = '', ...given } = input;
      const data = {
        id: newId(),
        businessId,
        description,
        ...given,
        secret: encryptWebhookSecret(ctx, createWebhookSecret()),
      };
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
  validationError({
    field: 'url',
    error: 'TOO_MANY_ENDPOINTS',
    message: `A business may have at most ${maxEndpoints} webhook endpoints.`,
  });

export function updateWebhookEndpoint(
  ctx: Context,
  { businessId, id, version, input }: UpdateWebhookEndpointArgs,
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
    return maskEndpointSecret(ctx, changed);
  });
}

/** The old secret goes on signing beside the new one for a day: receivers change over when they can. */
export async function rotateWebhookSecret(
  ctx: Context,
  at: WebhookEndpointAddress,
): Promise<WebhookEndpoint> {
  await runIdempotent(ctx, 'rotateWebhookSecret', at, (queries) =>
    queries.transaction(async (tx) => {
      const { id, secret } = await lock(tx, at);
      const time = now();
      return tx.prisma.webhookEndpoint.update({
        where: { id },
        data: {
          secret: encryptWebhookSecret(ctx, createWebhookSecret()),
          previousSecret: secret,
          previousSecretUntil: time + secretRotationSeconds,
          updatedAt: time,
        },
        select: { id: true },
      });
    }),
  );
  return withSecret(ctx, at);
}

export function deleteWebhookEndpoint(ctx: Context, at: WebhookEndpointAddress): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    const { id } = await lock(tx, at);
    return tx.prisma.webhookEndpoint.delete({ where: { id }, select: { id: true } });
  });
}

/** Read again, not remembered: what is kept for retries must not hold a secret. */
async function withSecret(ctx: Context, at: At): Promise<WebhookEndpoint> {
  const found = await read(ctx.db, at);
  if (!found) throw notFoundError(what);
  return revealEndpointSecret(ctx, found);
}

/** Every change is a new version; writing that first locks the row for what follows. */
async function lock(
  tx: Queries,
  { businessId, id, version }: WebhookEndpointAddress,
): Promise<StoredEndpoint> {
  if (!isId(businessId) || !isId(id)) throw notFoundError(what);
  const [changed] = await tx.prisma.webhookEndpoint.updateManyAndReturn({
    where: { businessId, id, ...versionCondition(version) },
    data: { version: { increment: 1 } },
  });
  if (changed) return changed;
  const current = await read(tx, { businessId, id });
  if (current) assertVersion(current.version, version);
  throw notFoundError(what);
}

const read = async ({ prisma }: Queries, { businessId, id }: At): Promise<StoredEndpoint | null> =>
  isId(businessId) && isId(id) ? prisma.webhookEndpoint.findFirst({ where: { businessId, id } }) : null;
