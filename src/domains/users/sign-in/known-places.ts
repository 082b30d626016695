/** Where people sign in from. Whoever signs in from a new place hears of it, in case it was somebody else. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { now } from '../../../lib/time.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import { buildNewPlaceMail } from '../messages/mails.ts';
import type { TokenSubject } from '../model.ts';
import { clientNetworkKey } from '../rate-limits.ts';

/** A place is known for this long after the last sign-in from there. */
export const knownPlaceSeconds = 30 * 86_400;

/** The first place of an account is no news. */
export async function recordKnownPlace(
  ctx: Context,
  tx: Queries,
  { id, email }: TokenSubject,
  time: number,
): Promise<void> {
  const at = { userId: id, place: clientNetworkKey(ctx) };
  const { knownPlace } = tx.prisma;
  const seen = await knownPlace.updateMany({
    where: { ...at, lastSeenAt: { gt: time - knownPlaceSeconds } },
    data: { lastSeenAt: time },
  });
  if (seen.count > 0) return;
  const others = await knownPlace.count({ where: { userId: id } });
  await knownPlace.upsert({
    where: { userId_place: at },
    create: { ...at, lastSeenAt: time },
    update: { lastSeenAt: time },
  });
  if (others > 0 && email !== null)
    await queueMail(ctx, tx, buildNewPlaceMail(ctx.config, email, ctx.request.address));
}

/** Whether somebody has signed in to this account from where this request comes from. */
export async function isKnownPlace(ctx: Context, userId: string): Promise<boolean> {
  const count = await ctx.db.prisma.knownPlace.count({
    where: { userId, place: clientNetworkKey(ctx), lastSeenAt: { gt: now() - knownPlaceSeconds } },
  });
  return count > 0;
}
