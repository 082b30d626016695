/** Proof of an email address when subscribing: decides what the caller sees, and whether a confirmation by mail is needed. */
import type { Context } from '../../../context.ts';
import type { Collection } from '../../collections/model.ts';
import { isBusinessTrustedWithMail } from '../../orders/mail/business-trusted-with-mail.ts';
import {
  accountRateLimitRules,
  buildClientNetworkRateLimitKey,
  enforceRateLimits,
} from '../../users/rate-limits.ts';
import { isEmailKeyOfViewer } from './subscription-access.ts';

export interface EmailAddressProof {
  /** The caller is signed in with this email address and has confirmed it. */
  isOwner: boolean;
  /** Owner or staff: the response shows the stored subscription. All other callers get a response that describes their request only. */
  canReadSubscription: boolean;
  /** False when the address must be confirmed by mail first. */
  isConfirmed: boolean;
}

/**
 * An address counts as confirmed without double opt-in (unless it is imported), for its owner, and for staff of a proven business and their API keys. Any other caller triggers a mail
 * to a third party, so those requests are rate-limited per caller address and per email address.
 */
export async function checkEmailAddressProof(
  ctx: Context,
  { businessId, doubleOptIn }: Collection,
  email: string,
  { isImported }: { isImported: boolean },
): Promise<EmailAddressProof> {
  const key = email.toLowerCase();
  const isOwner = await isEmailKeyOfViewer(ctx, { key });
  const isStaff = !isOwner && (await ctx.viewer.hasPermission('NEWSLETTER_SEND', businessId));
  if (isOwner || (isStaff && (await isBusinessTrustedWithMail(ctx, ctx.db, businessId))))
    return { isOwner, canReadSubscription: true, isConfirmed: true };
  // Staff of a business without a payment cannot vouch for many addresses at once, and have a daily quota of confirmation mails.
  if (isStaff && !isImported && !doubleOptIn)
    return { isOwner, canReadSubscription: true, isConfirmed: true };
  if (isStaff) {
    const points = ctx.config.quotas.unprovenMailsPerDay;
    await enforceRateLimits(
      ctx,
      [{ name: 'opt-in-business', points, seconds: 86_400 }, businessId],
      [accountRateLimitRules.optInByAccount, key],
    );
    return { isOwner, canReadSubscription: true, isConfirmed: false };
  }
  if (doubleOptIn)
    await enforceRateLimits(
      ctx,
      [accountRateLimitRules.optInByAddress, buildClientNetworkRateLimitKey(ctx)],
      [accountRateLimitRules.optInByAccount, key],
    );
  return { isOwner, canReadSubscription: false, isConfirmed: !doubleOptIn };
}

/** Counts a mail to a person who left. An exceeded limit drops the mail silently: an error would reveal that the person was a subscriber. */
export async function tryConsumeFormerSubscriberMailLimits(ctx: Context, key: string): Promise<boolean> {
  const byNetwork = await ctx.limits.consume(
    accountRateLimitRules.optInByAddress,
    buildClientNetworkRateLimitKey(ctx),
  );
  if (byNetwork?.exceeded) return false;
  return !(await ctx.limits.consume(accountRateLimitRules.returnMailByAccount, key))?.exceeded;
}
