/** Rate limits of account operations, per account and per network address. */
import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { toIpNetwork } from '../../lib/net/ip-addresses.ts';
import type { RateLimitRule, RateLimitState } from '../../ports/rate-limits.ts';

const minute = 60;

/**
 * `points` attempts per `seconds`. High enough for an office behind one address and for a person who mistypes a password, too low
 * for a script.
 */
export const accountRateLimitRules = {
  loginByAddress: { name: 'login-address', points: 300, seconds: 5 * minute },
  /** A guest login involves no password: this limit only stops a script from filling the users table. */
  guestByAddress: { name: 'guest-address', points: 3000, seconds: 5 * minute },
  /** Counts failures only. Strict per account and address, so that a client cannot lock out the owner, who signs in from another address. */
  loginByAccountHere: { name: 'login-account-address', points: 10, seconds: 15 * minute },
  loginByAccount: { name: 'login-account', points: 100, seconds: 15 * minute },
  refreshBySession: { name: 'refresh-session', points: 120, seconds: minute },
  registerByAddress: { name: 'register-address', points: 200, seconds: 10 * minute },
  registerByAccount: { name: 'register-account', points: 60, seconds: 60 * minute },
  forgotByAddress: { name: 'forgot-address', points: 60, seconds: 15 * minute },
  forgotByAccount: { name: 'forgot-account', points: 5, seconds: 15 * minute },
  confirmMailByAccount: { name: 'confirm-mail-account', points: 5, seconds: 15 * minute },
  phoneByAddress: { name: 'phone-address', points: 60, seconds: 10 * minute },
  phoneByAccount: { name: 'phone-account', points: 5, seconds: 10 * minute },
  phoneByNumber: { name: 'phone-number', points: 5, seconds: 10 * minute },
  exportByAccount: { name: 'export-account', points: 10, seconds: 60 * minute },
  /** Double opt-in mails of newsletters: `account` is the recipient's address. */
  optInByAddress: { name: 'opt-in-address', points: 60, seconds: 15 * minute },
  optInByAccount: { name: 'opt-in-account', points: 5, seconds: 60 * minute },
  /** Mails that offer a former subscriber to subscribe again. */
  returnMailByAccount: { name: 'return-mail-account', points: 5, seconds: 60 * minute },
  /** Text generation: every call of a language model costs the operator money. */
  generateByAccount: { name: 'generate-account', points: 30, seconds: minute },
  generateByBusiness: { name: 'generate-business', points: 300, seconds: 60 * minute },
  orderLinkByAddress: { name: 'order-link-address', points: 30, seconds: 15 * minute },
  /** Per network and order number. */
  orderLinkByOrder: { name: 'order-link-order', points: 5, seconds: 15 * minute },
  /** Mails of one order, requested from any network with its address. */
  orderLinkMail: { name: 'order-link-mail', points: 5, seconds: 15 * minute },
  /** Mails about orders to an address that no account has confirmed. */
  orderMailByContact: { name: 'order-mail-contact', points: 30, seconds: 60 * minute },
  freeOrderByAddress: { name: 'free-order-address', points: 60, seconds: 15 * minute },
  claimOrdersByAccount: { name: 'claim-orders-account', points: 10, seconds: 60 * minute },
  testMailByAccount: { name: 'test-mail-account', points: 20, seconds: 60 * minute },
  roleMailByAccount: { name: 'role-mail', points: 5, seconds: 60 * minute },
  apiKeyMailByAccount: { name: 'api-key-mail', points: 50, seconds: 60 * minute },
  lowStockMailByRecipient: { name: 'low-stock-mail', points: 60, seconds: 60 * minute },
  /** Invitation mails contain names that the sender chose, so they must not be usable to send spam. */
  invitationByBusiness: { name: 'invitation-business', points: 100, seconds: 24 * 60 * minute },
  invitationByInviter: { name: 'invitation-inviter', points: 50, seconds: 60 * minute },
  invitationByRecipient: { name: 'invitation-recipient', points: 10, seconds: 60 * minute },
} as const satisfies Record<string, RateLimitRule>;

export type RateLimitedAttempt = readonly [rule: RateLimitRule, key: string];

/**
 * Counts the attempts and writes the RateLimit headers of the response; throws RATE_LIMITED when a limit is exceeded. Counting stops
 * at the first exceeded limit, so that rejected requests create no further counters: pass the limit with the fewest keys first.
 */
export async function enforceRateLimits(ctx: Context, ...attempts: RateLimitedAttempt[]): Promise<void> {
  const states: RateLimitState[] = [];
  for (const [rule, key] of attempts) {
    const state = await ctx.limits.consume(rule, key);
    if (state) states.push(state);
    if (state?.exceeded) break;
  }
  applyLimitStates(ctx, states);
}

/** Like `enforceRateLimits` for one attempt, but lets an exceeding attempt pass when `isExempt` resolves to true. */
export async function enforceRateLimitUnlessExempt(
  ctx: Context,
  [rule, key]: RateLimitedAttempt,
  isExempt: () => Promise<boolean>,
): Promise<void> {
  const state = await ctx.limits.consume(rule, key);
  if (state?.exceeded && !(await isExempt())) applyLimitStates(ctx, [state]);
}

function applyLimitStates(ctx: Context, states: RateLimitState[]): void {
  const tightest = states.sort(byTightness)[0];
  if (!tightest) return;
  Object.assign(ctx.request.responseHeaders, {
    'ratelimit-limit': String(tightest.limit),
    'ratelimit-remaining': String(tightest.remaining),
    'ratelimit-reset': String(tightest.reset),
  });
  if (!tightest.exceeded) return;
  ctx.request.responseHeaders['retry-after'] = String(tightest.reset);
  throw new AppError('RATE_LIMITED', `Too many attempts. Try again in ${tightest.reset} seconds.`);
}

/** Uncounts attempts, after a sign-in that succeeded. */
export async function releaseRateLimitedAttempts(
  ctx: Context,
  ...attempts: RateLimitedAttempt[]
): Promise<void> {
  for (const [rule, key] of attempts) await ctx.limits.release(rule, key);
}

const byTightness = (a: RateLimitState, b: RateLimitState) =>
  Number(b.exceeded) - Number(a.exceeded) || (a.exceeded ? b.reset - a.reset : a.remaining - b.remaining);

/** Rate limit key of the client: its IPv4 address, or its IPv6 /64 network. */
export const buildClientNetworkRateLimitKey = ({ request }: Pick<Context, 'request'>): string =>
  toIpNetwork(request.address);
