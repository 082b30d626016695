/** The audit trail of accounts: what was done to them, by whom, and from where. */

import type { Context } from '../../context.ts';
import { type OwnedRows, ownedPage } from '../../db/owned-page.ts';
import { insertRow } from '../../db/rows.ts';
import type { Queries } from '../../db/sql.ts';
import { forbidden } from '../../errors.ts';
import type { SecurityEventType } from '../../generated/prisma/enums.ts';
import { isId, newId } from '../../lib/ids.ts';
import type { Page, PageArgs } from '../../lib/paging.ts';
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
  return listEvents(ctx, {
    list: `events:${user.id}`,
    args,
    owner: 'e.user_id',
    params: [user.id],
    conditions: [],
  });
}

export const listRoleChanges = (
  ctx: Context,
  { businessId, ...args }: PageArgs & { businessId: string },
): Promise<Page<SecurityEvent>> =>
  listEvents(ctx, {
    list: `role-changes:${businessId}`,
    args,
    owner: 'e.business_id',
    params: [isId(businessId) ? businessId : null],
    conditions: [`e.type = 'ROLE_CHANGED'`],
  });

const listEvents = (
  ctx: Context,
  of: Pick<OwnedRows<never, never>, 'list' | 'args' | 'owner' | 'params' | 'conditions'>,
): Promise<Page<SecurityEvent>> =>
  ownedPage<SecurityEvent, SecurityEvent>(ctx, {
    ...of,
    columns: `e.id, e.type, e.user_id as "userId", e.actor_id as "actorId", e.business_id as "businessId", e.address, e.detail,
      e.created_at as "createdAt"`,
    table: 'security_events e',
    toNodes: (events) => events,
  });
