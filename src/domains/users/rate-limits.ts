/** How often something may be tried, by account and by network address. */

import type { Context } from '../../context.ts';
import { AppError } from '../../errors.ts';
import { toIpNetwork } from '../../lib/net/ip-addresses.ts';
import type { RateLimitRule, RateLimitState } from '../../ports/rate-limits.ts';

const minute = 60;

/** Generous to an office behind one address, and to a person with a bad memory; not to a script. */
export const accountLimitRules = {
  loginByAddress: { name: 'login-address', points: 300, seconds: 5 * minute },
  /** A guest guesses nothing: this only keeps a script from filling the table. */
  guestByAddress: { name: 'guest-address', points: 3000, seconds: 5 * minute },
  /** Failures only. Strict for one address, so that nobody can lock somebody else out from another. */
  loginByAccountHere: { name: 'login-account-address', points: 10, seconds: 15 * minute },
  loginByAccount: { name: 'login-account', points: 100, seconds: 15 * minute },
  registerByAddress: { name: 'register-address', points: 200, seconds: 10 * minute },
  registerByAccount: { name: 'register-account', points: 60, seconds: 60 * minute },
  forgotByAddress: { name: 'forgot-address', points: 60, seconds: 15 * minute },
  forgotByAccount: { name: 'forgot-account', points: 5, seconds: 15 * minute },
  phoneByAddress: { name: 'phone-address', points: 60, seconds: 10 * minute },
  phoneByAccount: { name: 'phone-account', points: 5, seconds: 10 * minute },
  phoneByNumber: { name: 'phone-number', points: 5, seconds: 10 * minute },
  exportByAccount: { name: 'export-account', points: 10, seconds: 60 * minute },
  /** Mails that ask whether an address wants a newsletter: `account` is the address they go to. */
  optInByAddress: { name: 'opt-in-address', points: 60, seconds: 15 * minute },
  optInByAccount: { name: 'opt-in-account', points: 5, seconds: 60 * minute },
  roleMailByAccount: { name: 'role-mail', points: 5, seconds: 60 * minute },
} as const satisfies Record<string, RateLimitRule>;

export type LimitedAttempt = readonly [rule: RateLimitRule, key: string];

/**
 * Counts the attempts and puts what is left into the answer's headers; throws RATE_LIMITED when it is too much. An attempt that is
 * refused is not counted any further, so that refused calls leave nothing behind: name what is cheapest to keep first.
 */
export async function enforceLimits(ctx: Context, ...attempts: LimitedAttempt[]): Promise<void> {
  const states: RateLimitState[] = [];
  for (const [rule, key] of attempts) {
    const state = await ctx.limits.consume(rule, key);
    if (state) states.push(state);
    if (state?.exceeded) break;
  }
  tell(ctx, states);
}

/** The same for one attempt, which is let through all the same if `isTrusted` says so. */
export async function enforceLimitUnless(
  ctx: Context,
  [rule, key]: LimitedAttempt,
  isTrusted: () => Promise<boolean>,
): Promise<void> {
  const state = await ctx.limits.consume(rule, key);
  if (state?.exceeded && !(await isTrusted())) tell(ctx, [state]);
}

function tell(ctx: Context, states: RateLimitState[]): void {
  const tightest = states.sort(byRoom)[0];
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

export async function releaseAttempts(ctx: Context, ...attempts: LimitedAttempt[]): Promise<void> {
  for (const [rule, key] of attempts) await ctx.limits.release(rule, key);
}

const byRoom = (a: RateLimitState, b: RateLimitState) =>
  Number(b.exceeded) - Number(a.exceeded) || (a.exceeded ? b.reset - a.reset : a.remaining - b.remaining);

/** Who shares a network counts as one. */
export const clientNetworkKey = ({ request }: Pick<Context, 'request'>): string =>
  toIpNetwork(request.address);
