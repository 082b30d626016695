/** Double opt-in: who may put an address on a list without a confirmation by mail. */
import type { Context } from '../../../context.ts';
import type { Collection } from '../../collections/model.ts';
import { accountLimitRules, clientNetworkKey, enforceLimits } from '../../users/rate-limits.ts';
import { viewerOwnsEmail } from './subscription-access.ts';

/**
 * True where nobody asks for a confirmation, for the owner of the address, and for staff and their API keys, who vouch for it. Everybody
 * else causes a mail to somebody who may not want it, and may do so a few times only.
 */
export async function canSubscribeWithoutConfirmation(
  ctx: Context,
  { businessId, doubleOptIn }: Collection,
  email: string,
): Promise<boolean> {
  if (!doubleOptIn) return true;
  const key = email.toLowerCase();
  if (await ctx.viewer.hasPermission('NEWSLETTER_SEND', businessId)) return true;
  if (await viewerOwnsEmail(ctx, { key })) return true;
  await enforceLimits(
    ctx,
    [accountLimitRules.optInByAddress, clientNetworkKey(ctx)],
    [accountLimitRules.optInByAccount, key],
  );
  return false;
}
