/** Lists and ends the viewer's own sessions. */
import type { Context } from '../../../context.ts';
import { loadPrismaPage } from '../../../db/index.ts';
import { notFoundError, unauthenticatedError } from '../../../errors.ts';
import type { Session } from '../../../generated/prisma/client.ts';
import { isId } from '../../../lib/ids.ts';
import type { Page, PageArgs } from '../../../lib/paging.ts';
import { now } from '../../../lib/time.ts';
import { endSessions } from './sessions.ts';

/** Newest first, without expired sessions. */
export function listOwnSessions(ctx: Context, args: PageArgs): Promise<Page<Session>> {
  const where = { userId: requireViewerId(ctx), OR: [{ expiresAt: null }, { expiresAt: { gt: now() } }] };
  return loadPrismaPage<Session>(ctx, ctx.db.prisma.session, {
    list: `sessions:${where.userId}`,
    args,
    where,
  });
}

export async function revokeOwnSession(ctx: Context, { id }: { id: string }): Promise<{ id: string }> {
  const ended = isId(id) ? await endSessions(ctx, { id, userId: requireViewerId(ctx) }) : 0;
  if (ended === 0) throw notFoundError('Session');
  return { id };
}

/** Ends all sessions of the viewer, including the one of the request. */
export async function revokeAllOwnSessions(ctx: Context): Promise<void> {
  await endSessions(ctx, { userId: requireViewerId(ctx) });
}

function requireViewerId({ viewer }: Context): string {
  if (!viewer.accountUser) throw unauthenticatedError();
  return viewer.accountUser.userId;
}
