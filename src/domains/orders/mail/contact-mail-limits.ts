/** Limits of mails to contact addresses: anyone can name the address of another person, and staff write the text of the mails. */
import type { Context, Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import {
  accountRateLimitRules,
  buildClientNetworkRateLimitKey,
  enforceRateLimits,
} from '../../users/rate-limits.ts';
import type { Order } from '../model.ts';
import { isBusinessTrustedWithMail } from './business-trusted-with-mail.ts';

export type ContactMailLimitServices = Pick<Services, 'config' | 'limits' | 'log' | 'mail'>;

const daySeconds = 86_400;

/** Counts the mail. False when it must not be sent: the change of the order that causes it is made nevertheless. */
export async function tryConsumeContactMailLimits(
  services: ContactMailLimitServices,
  queries: QueryHandle,
  { id: orderId, businessId }: Order,
  email: string,
): Promise<boolean> {
  const { limits, config, mail, log } = services;
  if (mail.embedded) return true;
  const business = (await isBusinessTrustedWithMail(services, queries, businessId))
    ? undefined
    : await limits.consume(
        { name: 'order-mail-business', points: config.quotas.unprovenMailsPerDay, seconds: daySeconds },
        businessId,
      );
  // A mail that its business may not send does not count for the address, which gets mails of other businesses, too.
  const recipient = business?.exceeded
    ? undefined
    : await limits.consume(accountRateLimitRules.orderMailByContact, email.toLowerCase());
  if (!recipient?.exceeded && !business?.exceeded) return true;
  const reason = business?.exceeded ? 'daily quota of a business without a payment' : 'limit of the address';
  log.warn({ orderId, businessId, reason }, 'mail to the contact of an order not sent: limit reached');
  return false;
}

/** A free order is confirmed by mail at once: limits those that guests of one network place. Throws RATE_LIMITED. */
export async function enforceFreeOrderConfirmationLimits(
  ctx: Context,
  { total, contactEmail }: Pick<Order, 'total' | 'contactEmail'>,
): Promise<void> {
  if (total > 0 || contactEmail === undefined || ctx.mail.embedded || !ctx.viewer.user?.isGuest) return;
  await enforceRateLimits(ctx, [
    accountRateLimitRules.freeOrderByAddress,
    buildClientNetworkRateLimitKey(ctx),
  ]);
}
