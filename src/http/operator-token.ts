/** Operator token check: constant-time comparison, with a rate limit on wrong tokens per client network. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { resolveClientAddress, type Services } from '../context.ts';
import { AppError, unauthenticatedError } from '../errors.ts';
import type { HttpRequest } from '../http-message.ts';
import { createNamedLru } from '../lib/cache/named-lru.ts';
import { toIpNetwork } from '../lib/net/ip-addresses.ts';
import type { RateLimitRule } from '../ports/rate-limits.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

export const matchesBearerToken = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));

const wrongTokens: RateLimitRule = { name: 'operator-address', points: 20, seconds: 900 };

/** Throws unless the request carries the token; `message` is the text of the UNAUTHENTICATED error. */
export type OperatorTokenGuard = (request: HttpRequest, message: string) => Promise<void>;

/** A network that sends more than 20 wrong tokens in 15 minutes is blocked for the rest of that time, unless it has sent the right token before. */
export function createOperatorTokenGuard({ limits, config }: Services, token: string): OperatorTokenGuard {
  const trustedNetworks = createNamedLru<true>('operators', 100);
  const blockedNetworks = createNamedLru<number>('blocked_operators', 10_000);
  return async (request, message) => {
    const authorization = request.header('authorization');
    if (authorization === undefined) throw unauthenticatedError(message);
    const network = toIpNetwork(resolveClientAddress(request, config.trustedProxies));
    const blockedUntil = trustedNetworks.has(network) ? 0 : (blockedNetworks.get(network) ?? 0);
    if (blockedUntil > Date.now())
      throw tooManyWrongTokensError(Math.ceil((blockedUntil - Date.now()) / 1000));
    if (matchesBearerToken(authorization, token)) {
      trustedNetworks.set(network, true);
      return;
    }
    const state = await limits.consume(wrongTokens, network);
    if (state?.exceeded && !trustedNetworks.has(network)) {
      blockedNetworks.set(network, Date.now() + state.reset * 1000);
      throw tooManyWrongTokensError(state.reset);
    }
    throw unauthenticatedError(message);
  };
}

const tooManyWrongTokensError = (seconds: number) =>
  new AppError('RATE_LIMITED', `Too many wrong tokens. Try again in ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  });
