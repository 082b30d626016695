/** `exportMe`: identifies the viewer whose data is exported and loads the part of the account; other domains add fields to PersonalData. */
import type { Context } from '../../../context.ts';
import { businessServersOf } from '../../../db/index.ts';
import type { Identity, KnownPlace, SecurityEvent, Session } from '../../../generated/prisma/client.ts';
import { now } from '../../../lib/time.ts';
import { collectNewestPersonalData } from '../../shared/personal-data/collect-newest-personal-data.ts';
import type { PersonalDataOwner } from '../../shared/personal-data/personal-data-graphql-type.ts';
import { requireOwnAccount } from '../account/load-own-account.ts';
import { accountRateLimitRules, enforceRateLimits } from '../rate-limits.ts';

export async function exportMe(ctx: Context): Promise<PersonalDataOwner> {
  const { id, email, isConfirmed } = await requireOwnAccount(ctx);
  await enforceRateLimits(ctx, [accountRateLimitRules.exportByAccount, id]);
  return { userId: id, email: (isConfirmed && email) || undefined, exportedAt: now() };
}

const idBelow = (id: string | undefined) => (id === undefined ? {} : { id: { lt: id } });

export const exportSessions = ({ db }: Context, { userId }: PersonalDataOwner): Promise<Session[]> =>
  collectNewestPersonalData<Session>([db], 'id', ({ prisma }, last, take) =>
    prisma.session.findMany({ where: { userId, ...idBelow(last) }, orderBy: { id: 'desc' }, take }),
  );

// As a range, the user leads the sort order, so that the planner must use an index that begins with it: see db/pages/owned-page.ts.
export const exportSecurityEvents = (
  { db }: Context,
  { userId }: PersonalDataOwner,
): Promise<SecurityEvent[]> =>
  collectNewestPersonalData<SecurityEvent>(businessServersOf(db), 'id', ({ prisma }, last, take) =>
    prisma.securityEvent.findMany({
      where: { userId: { gte: userId, lte: userId }, ...idBelow(last) },
      orderBy: [{ userId: 'desc' }, { id: 'desc' }],
      take,
    }),
  );

export const exportIdentities = ({ db }: Context, { userId }: PersonalDataOwner): Promise<Identity[]> =>
  db.prisma.identity.findMany({ where: { userId }, orderBy: { createdAt: 'desc' }, take: maxRows });

export const exportSignInNetworks = ({ db }: Context, { userId }: PersonalDataOwner): Promise<KnownPlace[]> =>
  db.prisma.knownPlace.findMany({ where: { userId }, orderBy: { lastSeenAt: 'desc' }, take: maxRows });

/** Upper bound for identities and known places, of which a user has few. */
const maxRows = 500;
