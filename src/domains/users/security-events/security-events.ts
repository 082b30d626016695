/** Security events: the audit log of accounts, with actor and network address. */
import type { Context } from '../../../context.ts';
import { businessServersOf, loadPrismaPage, mergePrismaModels, type QueryHandle } from '../../../db/index.ts';
import { forbiddenError } from '../../../errors.ts';
import type { Prisma, SecurityEvent } from '../../../generated/prisma/client.ts';
import type { SecurityEventType } from '../../../generated/prisma/enums.ts';
import { isId, newId, nilUuid } from '../../../lib/ids.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';
import { now } from '../../../lib/time.ts';
import type { User } from '../model.ts';

/** Names are stored as of the event: the role or key may be deleted later. */
export type SecurityEventDetail = Partial<
  Record<'provider' | 'reason' | 'keyId' | 'keyName' | 'role' | 'previousRole', string>
>;

/** Why a session was ended without a sign-out. */
export type SignOutReason = 'REFRESH_TOKEN_REUSED';

interface NewEvent {
  type: SecurityEventType;
  userId: string;
  businessId?: string;
  detail?: SecurityEventDetail;
}

export async function recordSecurityEvent(
  { request, viewer }: Pick<Context, 'request' | 'viewer'>,
  { prisma }: QueryHandle,
  event: NewEvent,
): Promise<void> {
  await prisma.securityEvent.create({
    data: {
      id: newId(),
      actorId: viewer.user?.userId ?? null,
      address: request.address.slice(0, 100),
      createdAt: now(),
      ...event,
    },
  });
}

export function listOwnSecurityEvents(
  ctx: Context,
  user: User,
  args: PageArgs,
): Promise<Page<SecurityEvent>> {
  if (!user.isSelf) throw forbiddenError();
  // Changes of roles are recorded on the server of their business.
  const servers = businessServersOf(ctx.db);
  return listEvents(ctx, { list: `events:${user.id}`, args, owner: 'userId', id: user.id, servers });
}

export async function listRoleChanges(
  ctx: Context,
  { businessId, ...args }: PageArgs & { businessId: string },
): Promise<Page<SecurityEvent>> {
  const list = `role-changes:${businessId}`;
  const id = isId(businessId) ? businessId : nilUuid;
  const where = { type: 'ROLE_CHANGED' } as const;
  return listEvents(ctx, { list, args, owner: 'businessId', id, where, servers: [ctx.db] });
}

interface OwnedEvents {
  list: string;
  args: PageArgs;
  owner: 'userId' | 'businessId';
  id: string;
  where?: Prisma.SecurityEventWhereInput;
  servers: readonly QueryHandle[];
}

function listEvents(
  ctx: Context,
  { list, args, owner, id, where = {}, servers }: OwnedEvents,
): Promise<Page<SecurityEvent>> {
  const model = mergePrismaModels<SecurityEvent>(servers, ({ prisma }) => prisma.securityEvent);
  return loadPrismaPage<SecurityEvent>(ctx, model, {
    list,
    args,
    // As a range, the owner leads the sort order.
    where: { ...where, [owner]: { gte: id, lte: id } },
    owner,
  });
}
