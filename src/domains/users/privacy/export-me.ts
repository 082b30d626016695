/** All that is kept about the viewer, for the viewer alone. */
import type { Context } from '../../../context.ts';
import type { Identity, KnownPlace, SecurityEvent, Session } from '../../../generated/prisma/client.ts';
import { now } from '../../../lib/time.ts';
import { type PersonalDataOwner, readNewestInBatches } from '../../shared/personal-data.ts';
import { requireMe } from '../account/me.ts';
import { accountLimitRules, enforceLimits } from '../rate-limits.ts';

export async function exportMe(ctx: Context): Promise<PersonalDataOwner> {
  const { id, email, isConfirmed } = await requireMe(ctx);
  await enforceLimits(ctx, [accountLimitRules.exportByAccount, id]);
  return { userId: id, email: (isConfirmed && email) || undefined, exportedAt: now() };
}

const below = (id: string | undefined) => (id === undefined ? {} : { id: { lt: id } });
const idOf = ({ id }: { id: string }) => id;

export const exportSessions = ({ db }: Context, { userId }: PersonalDataOwner): Promise<Session[]> =>
  readNewestInBatches<Session>(idOf, (last, take) =>
    db.prisma.session.findMany({ where: { userId, ...below(last) }, orderBy: { id: 'desc' }, take }),
  );

// As a range, the user leads the order and only an index that begins with it will do: see db/pages/owned-page.ts.
export const exportSecurityEvents = (
  { db }: Context,
  { userId }: PersonalDataOwner,
): Promise<SecurityEvent[]> =>
  readNewestInBatches<SecurityEvent>(idOf, (last, take) =>
    db.prisma.securityEvent.findMany({
      where: { userId: { gte: userId, lte: userId }, ...below(last) },
      orderBy: [{ userId: 'desc' }, { id: 'desc' }],
      take,
    }),
  );

/** Nobody has more than a few of these. */
export const exportIdentities = ({ db }: Context, { userId }: PersonalDataOwner): Promise<Identity[]> =>
  db.prisma.identity.findMany({ where: { userId }, orderBy: { createdAt: 'desc' }, take: few });

export const exportKnownPlaces = ({ db }: Context, { userId }: PersonalDataOwner): Promise<KnownPlace[]> =>
  db.prisma.knownPlace.findMany({ where: { userId }, orderBy: { lastSeenAt: 'desc' }, take: few });

const few = 500;
