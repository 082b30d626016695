/** The audit trail of accounts: what was done to them, by whom, and from where. */
import { insertRow } from '../../db/rows.ts';
import type { Queries } from '../../db/sql.ts';
import { forbidden } from '../../errors.ts';
import type { SecurityEventType } from '../../generated/prisma/enums.ts';
import type { Context } from '../../graphql/context.ts';
import { isId, newId } from '../../lib/ids.ts';
import { type Page, type PageArgs, page } from '../../lib/paging.ts';
import { now } from '../../lib/time.ts';
import type { User } from './model.ts';

/** Names are kept as they were: the role or key may be gone when somebody asks. */
export interface EventDetail {
  provider?: string;
  keyId?: string;
  keyName?: string;
  role?: string;
  previousRole?: string;
}

export interface SecurityEvent {
  id: string;
  type: SecurityEventType;
  userId: string;
  actorId: string | null;
  businessId: string | null;
  address: string;
  detail: EventDetail;
  createdAt: number;
}

interface NewEvent {
  type: SecurityEventType;
  userId: string;
  businessId?: string;
  detail?: EventDetail;
}

export async function recordEvent(
  { request, viewer }: Pick<Context, 'request' | 'viewer'>,
  queries: Queries,
  { type, userId, businessId, detail = {} }: NewEvent,
): Promise<void> {
  await insertRow(queries, 'security_events', {
    id: newId(),
    type,
    userId,
    actorId: viewer.user?.userId ?? null,
    businessId: businessId ?? null,
    address: request.address.slice(0, 100),
    detail: JSON.stringify(detail),
    createdAt: now(),
  });
}

export function listOwnEvents(ctx: Context, user: User, args: PageArgs): Promise<Page<SecurityEvent>> {
  if (!user.isSelf) throw forbidden();
  return listEvents(ctx, `events:${user.id}`, 'user_id = $1', user.id, args);
}

export const listRoleChanges = (
  ctx: Context,
  { businessId, ...args }: PageArgs & { businessId: string },
): Promise<Page<SecurityEvent>> =>
  listEvents(
    ctx,
    `role-changes:${businessId}`,
    `business_id = $1 and type = 'ROLE_CHANGED'`,
    isId(businessId) ? businessId : null,
    args,
  );

function listEvents(
  ctx: Context,
  list: string,
  where: string,
  of: string | null,
  args: PageArgs,
): Promise<Page<SecurityEvent>> {
  return page({
    secret: ctx.keys.secret,
    list,
    args,
    keyOf: (event) => event.id,
    fetch: (after, limit) =>
      ctx.db.sql<SecurityEvent>(
        `select id, type, user_id as "userId", actor_id as "actorId", business_id as "businessId", address, detail,
           created_at as "createdAt"
         from security_events where ${where} and ($3::uuid is null or id < $3) order by id desc limit $2`,
        [of, limit, after ?? null],
      ),
    async count() {
      const [row] = await ctx.db.sql<{ count: number }>(
        `select count(*)::int as count from security_events where ${where}`,
        [of],
      );
      return row?.count ?? 0;
    },
  });
}
