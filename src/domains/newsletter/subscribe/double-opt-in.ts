/** Double opt-in: decides whether a subscription needs a confirmation by mail. */
import type { Context } from '../../../context.ts';
import type { Collection } from '../../collections/model.ts';
import { accountRateLimitRules, clientNetworkKey, enforceRateLimits } from '../../users/rate-limits.ts';
import { viewerOwnsEmail } from './subscription-access.ts';

/**
 * True without double opt-in, for the owner of the email address, and for staff and their API keys. Any other caller triggers a mail to a
 * third party, so those requests are rate-limited per caller address and per email address.
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
  await enforceRateLimits(
    ctx,
    [accountRateLimitRules.optInByAddress, clientNetworkKey(ctx)],
    [accountRateLimitRules.optInByAccount, key],
  );
  return false;
}
