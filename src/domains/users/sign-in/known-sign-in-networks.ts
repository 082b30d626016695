/** Networks from which users have signed in (`known_places`). A sign-in from a new one sends the user a mail. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import { buildNewSignInNetworkMail } from '../messages/build-account-mails.ts';
import type { TokenSubject } from '../model.ts';
import { buildClientNetworkRateLimitKey } from '../rate-limits.ts';

/** A network stays known for 30 days after the last sign-in from it. */
export const knownNetworkLifetimeSeconds = 30 * 86_400;

/** Records the network of a sign-in. The first one of an account sends no mail. */
export async function recordSignInNetwork(
  ctx: Context,
  tx: QueryHandle,
  { id, email }: TokenSubject,
  time: number,
): Promise<void> {
  const key = { userId: id, place: buildClientNetworkRateLimitKey(ctx) };
  const { knownPlace } = tx.prisma;
  const refreshed = await knownPlace.updateMany({
    where: { ...key, lastSeenAt: { gt: time - knownNetworkLifetimeSeconds } },
    data: { lastSeenAt: time },
  });
  if (refreshed.count > 0) return;
  const knownCount = await knownPlace.count({ where: { userId: id } });
  await knownPlace.upsert({
    where: { userId_place: key },
    create: { ...key, lastSeenAt: time },
    update: { lastSeenAt: time },
  });
  if (knownCount > 0 && email !== null)
    await queueMail(ctx, tx, buildNewSignInNetworkMail(ctx.config, email, ctx.request.address));
}

/** Whether there was a sign-in to this account from the network of the request within the last 30 days. */
export async function isKnownSignInNetwork(ctx: Context, userId: string): Promise<boolean> {
  const count = await ctx.db.prisma.knownPlace.count({
    where: {
      userId,
      place: buildClientNetworkRateLimitKey(ctx),
      lastSeenAt: { gt: now() - knownNetworkLifetimeSeconds },
    },
  });
  return count > 0;
}
