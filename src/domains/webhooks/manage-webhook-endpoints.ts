/** Webhook endpoints of a business: create, find, list, update, rotate the secret, delete. */
import type { Context } from '../../context.ts';
import { loadPrismaPage, type QueryHandle, takeAdvisoryLock } from '../../db/index.ts';
import { notFoundError, validationError } from '../../errors.ts';
import type { WebhookEndpoint as StoredEndpoint } from '../../generated/prisma/client.ts';
import { runIdempotent } from '../../idempotency.ts';
import { isId, newId } from '../../lib/ids.ts';
import { assertExpectedVersion, buildVersionWhere } from '../../lib/optimistic-locking.ts';
import type { Page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import { filterRecordsVisibleToStaff } from '../shared/filter-records-by-permission.ts';
import { encryptWebhookSecret } from './encrypt-webhook-secrets.ts';
import {
  decryptSecretOfWebhookEndpoint,
  maskSecretOfWebhookEndpoint,
  type WebhookEndpoint,
} from './model.ts';
import type {
  CreateWebhookEndpointArgs,
  ListWebhookEndpointsArgs,
  UpdateWebhookEndpointArgs,
  WebhookEndpointRef,
} from './schemas.ts';
import { createWebhookSecret, oldWebhookSecretValidSeconds } from './url-signature-and-retry-rules.ts';

const maxEndpoints = 20;
const recordName = 'Webhook endpoint';

type EndpointKey = Pick<WebhookEndpointRef, 'businessId' | 'id'>;

export async function findWebhookEndpoint(
  ctx: Pick<Context, 'keys'> & { db: QueryHandle },
  address: EndpointKey,
): Promise<WebhookEndpoint | undefined> {
  const endpoint = await readEndpoint(ctx.db, address);
  return endpoint ? maskSecretOfWebhookEndpoint(ctx, endpoint) : undefined;
}

/** Loads the endpoints among `ids` that belong to businesses which the viewer administers, by id. */
export async function loadAdministeredWebhookEndpoints(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, WebhookEndpoint>> {
  const rows = await ctx.db.prisma.webhookEndpoint.findMany({ where: { id: { in: [...ids] } } });
  return filterRecordsVisibleToStaff(
    ctx,
    ['ADMIN'],
    rows.map((endpoint) => maskSecretOfWebhookEndpoint(ctx, endpoint)),
  );
}

export async function listWebhookEndpoints(
  ctx: Context,
  args: ListWebhookEndpointsArgs,
): Promise<Page<WebhookEndpoint>> {
  return loadPrismaPage<WebhookEndpoint>(ctx, ctx.db.prisma.webhookEndpoint, {
    list: `webhook-endpoints:${args.businessId}`,
    args,
    where: { businessId: args.businessId },
    toNode: (endpoint) => maskSecretOfWebhookEndpoint(ctx, endpoint),
  });
}

/** Returns the secret in full; later reads return it masked. */
export async function createWebhookEndpoint(
  ctx: Context,
  { businessId, input }: CreateWebhookEndpointArgs,
): Promise<WebhookEndpoint> {
  const { id } = await runIdempotent(ctx, 'createWebhookEndpoint', { businessId, input }, (queries) =>
    queries.transaction(async (tx) => {
      // Advisory lock: concurrent requests must not exceed the limit.
      await takeAdvisoryLock(tx, `webhook-endpoints:${businessId}`);
      if ((await tx.prisma.webhookEndpoint.count({ where: { businessId } })) >= maxEndpoints)
        throw tooManyEndpointsError();
      const { description = '', ...fields } = input;
      const data = {
        id: newId(),
        businessId,
        description,
        ...fields,
        secret: encryptWebhookSecret(ctx, createWebhookSecret()),
      };
      const time = now();
      return tx.prisma.webhookEndpoint.create({
        data: { ...data, createdAt: time, updatedAt: time },
        select: { id: true },
      });
    }),
  );
  return loadWithSecret(ctx, { businessId, id });
}

const tooManyEndpointsError = () =>
  validationError(
    'url',
    'TOO_MANY_ENDPOINTS',
    `A business may have at most ${maxEndpoints} webhook endpoints.`,
  );

export function updateWebhookEndpoint(
  ctx: Context,
  { businessId, id, version, input }: UpdateWebhookEndpointArgs,
): Promise<WebhookEndpoint> {
  return ctx.db.transaction(async (tx) => {
    const current = await lockEndpoint(tx, { businessId, id, version });
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
    return maskSecretOfWebhookEndpoint(ctx, changed);
  });
}

/** For 24 hours requests carry signatures of both secrets, so that receivers can switch without downtime. */
export async function rotateWebhookSecret(
  ctx: Context,
  address: WebhookEndpointRef,
): Promise<WebhookEndpoint> {
  await runIdempotent(ctx, 'rotateWebhookSecret', address, (queries) =>
    queries.transaction(async (tx) => {
      const { id, secret } = await lockEndpoint(tx, address);
      const time = now();
      return tx.prisma.webhookEndpoint.update({
        where: { id },
        data: {
          secret: encryptWebhookSecret(ctx, createWebhookSecret()),
          previousSecret: secret,
          previousSecretUntil: time + oldWebhookSecretValidSeconds,
          updatedAt: time,
        },
        select: { id: true },
      });
    }),
  );
  return loadWithSecret(ctx, address);
}

export function deleteWebhookEndpoint(ctx: Context, address: WebhookEndpointRef): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    const { id } = await lockEndpoint(tx, address);
    return tx.prisma.webhookEndpoint.delete({ where: { id }, select: { id: true } });
  });
}

/** Reads the endpoint again: the result stored for idempotent retries must not contain a secret. */
async function loadWithSecret(ctx: Context, address: EndpointKey): Promise<WebhookEndpoint> {
  const endpoint = await readEndpoint(ctx.db, address);
  if (!endpoint) throw notFoundError(recordName);
  return decryptSecretOfWebhookEndpoint(ctx, endpoint);
}

/** Increments the version first: the update takes the row lock and checks the expected version. */
async function lockEndpoint(
  tx: QueryHandle,
  { businessId, id, version }: WebhookEndpointRef,
): Promise<StoredEndpoint> {
  if (!isId(businessId) || !isId(id)) throw notFoundError(recordName);
  const [changed] = await tx.prisma.webhookEndpoint.updateManyAndReturn({
    where: { businessId, id, ...buildVersionWhere(version) },
    data: { version: { increment: 1 } },
  });
  if (changed) return changed;
  const current = await readEndpoint(tx, { businessId, id });
  if (current) assertExpectedVersion(current.version, version);
  throw notFoundError(recordName);
}

const readEndpoint = async (
  { prisma }: QueryHandle,
  { businessId, id }: EndpointKey,
): Promise<StoredEndpoint | null> =>
  isId(businessId) && isId(id) ? prisma.webhookEndpoint.findFirst({ where: { businessId, id } }) : null;
