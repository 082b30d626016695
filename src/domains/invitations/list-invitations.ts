/** Lists the invitations of a business, newest first. */
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { loadKeysetPage, type Page, toPrismaKeysetRange } from '../../lib/paging.ts';
import { type Invitation, invitationSelection } from './model.ts';
import type { listInvitationsSchema } from './schemas.ts';

export function listInvitations(
  { db, keys }: Context,
  { businessId, ...args }: z.output<typeof listInvitationsSchema>,
): Promise<Page<Invitation>> {
  return loadKeysetPage<Invitation>({
    secret: keys.secret,
    list: `invitations:${businessId}`,
    args,
    keyOf: ({ id }) => id,
    fetch(slice, take) {
      const { range, direction } = toPrismaKeysetRange(slice, 'desc');
      return db.prisma.invitation.findMany({
        where: { businessId, id: range },
        orderBy: { id: direction },
        take,
        ...invitationSelection,
      });
    },
    count: () => db.prisma.invitation.count({ where: { businessId } }),
  });
}
