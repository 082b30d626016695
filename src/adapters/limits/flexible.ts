/** Rate limits on rate-limiter-flexible, counted in this process. */
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitRule, LimitState, Limits } from '../../ports/limits.ts';

/** For deployments that limit elsewhere, and for tests that hammer. */
export const noLimits: Limits = {
  take: async () => undefined,
  giveBack: async () => {},
  close: async () => {},
};

export const createMemoryLimits = (): Limits =>
  limitsFrom(
    ({ name, points, seconds }) => new RateLimiterMemory({ keyPrefix: name, points, duration: seconds }),
    async () => {},
  );

/** Limits over one counter per rule. */
export function limitsFrom(
  create: (rule: LimitRule) => RateLimiterAbstract,
  close: () => Promise<void>,
): Limits {
  const limiters = new Map<string, RateLimiterAbstract>();
  const limiterOf = (rule: LimitRule) => {
    const known = limiters.get(rule.name) ?? create(rule);
    limiters.set(rule.name, known);
    return known;
  };
  return {
    close,
    async take(rule, key) {
      try {
        return stateOf(rule, await limiterOf(rule).consume(key), false);
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return stateOf(rule, refusal, true);
        throw refusal;
      }
    },
    async giveBack(rule, key) {
      await limiterOf(rule).reward(key);
    },
  };
}

const stateOf = (rule: LimitRule, result: RateLimiterRes, exceeded: boolean): LimitState => ({
  limit: rule.points,
  remaining: Math.max(0, result.remainingPoints),
  reset: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
  exceeded,
});
