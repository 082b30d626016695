/** Lists the invitations of a business, newest first. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { loadPrismaPage } from '../../db/index.ts';
import type { Page } from '../../lib/paging.ts';
import { type Invitation, invitationSelection } from './model.ts';
import type { listInvitationsSchema } from './schemas.ts';

export function listInvitations(
  ctx: Context,
  { businessId, ...args }: z.output<typeof listInvitationsSchema>,
): Promise<Page<Invitation>> {
  const { invitation } = ctx.db.prisma;
  const model = {
    findMany: (query: Parameters<typeof invitation.findMany>[0]) =>
      invitation.findMany({ ...query, ...invitationSelection }),
    count: (query: { where: object }) => invitation.count(query),
  };
  return loadPrismaPage<Invitation>(ctx, model, {
    list: `invitations:${businessId}`,
    args,
    where: { businessId },
  });
}
