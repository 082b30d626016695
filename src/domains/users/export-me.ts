/** All that is kept about the viewer, for the viewer alone. */
import type { Context } from '../../context.ts';
import type { Identity, KnownPlace, SecurityEvent, Session } from '../../generated/prisma/client.ts';
import { now } from '../../lib/time.ts';
import { newestOf, type Owner } from '../shared/personal-data.ts';
import { limit, rules } from './limits.ts';
import { findMe } from './me.ts';

export async function exportMe(ctx: Context): Promise<Owner> {
  const { id, email, isConfirmed } = await findMe(ctx);
  await limit(ctx, [rules.exportByAccount, id]);
  return { userId: id, email: (isConfirmed && email) || undefined, exportedAt: now() };
}

const below = (id: string | undefined) => (id === undefined ? {} : { id: { lt: id } });
const idOf = ({ id }: { id: string }) => id;

export const sessionsOf = ({ db }: Context, { userId }: Owner): Promise<Session[]> =>
  newestOf<Session>(idOf, (last, take) =>
    db.prisma.session.findMany({ where: { userId, ...below(last) }, orderBy: { id: 'desc' }, take }),
  );

// As a range, the user leads the order and only an index that begins with it will do: see db/owned-page.ts.
export const eventsOf = ({ db }: Context, { userId }: Owner): Promise<SecurityEvent[]> =>
  newestOf<SecurityEvent>(idOf, (last, take) =>
    db.prisma.securityEvent.findMany({
      where: { userId: { gte: userId, lte: userId }, ...below(last) },
      orderBy: [{ userId: 'desc' }, { id: 'desc' }],
      take,
    }),
  );

/** Nobody has more than a few of these. */
export const identitiesOf = ({ db }: Context, { userId }: Owner): Promise<Identity[]> =>
  db.prisma.identity.findMany({ where: { userId }, orderBy: { createdAt: 'desc' }, take: few });

export const placesOf = ({ db }: Context, { userId }: Owner): Promise<KnownPlace[]> =>
  db.prisma.knownPlace.findMany({ where: { userId }, orderBy: { lastSeenAt: 'desc' }, take: few });

const few = 500;
