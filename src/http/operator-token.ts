/** Tokens of operators: compared in a time that tells nothing about them, and not to be guessed from one address. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Services } from '../context.ts';
import { AppError, unauthenticatedError } from '../errors.ts';
import type { HttpRequest } from '../http-message.ts';
import { createNamedLru } from '../lib/cache/named-lru.ts';
import { toIpNetwork } from '../lib/net/ip-addresses.ts';
import type { RateLimitRule } from '../ports/rate-limits.ts';
import { resolveClientAddress } from './request-facts.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

export const hasBearerToken = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));

const wrongTokens: RateLimitRule = { name: 'operator-address', points: 20, seconds: 900 };

/** Throws unless the request carries the token; `message` is for who has none. */
export type OperatorTokenGuard = (request: HttpRequest, message: string) => Promise<void>;

/** Who has shown wrong tokens too often is not listened to for a while, unless the right one came from there before. */
export function createOperatorTokenGuard({ limits, config }: Services, token: string): OperatorTokenGuard {
  const trusted = createNamedLru<true>('operators', 100);
  const refused = createNamedLru<number>('refused_operators', 10_000);
  return async (request, message) => {
    const authorization = request.header('authorization');
    if (authorization === undefined) throw unauthenticatedError(message);
    const network = toIpNetwork(resolveClientAddress(request, config.trustedProxies));
    const until = trusted.has(network) ? 0 : (refused.get(network) ?? 0);
    if (until > Date.now()) throw tooOften(Math.ceil((until - Date.now()) / 1000));
    if (hasBearerToken(authorization, token)) {
      trusted.set(network, true);
      return;
    }
    const state = await limits.consume(wrongTokens, network);
    if (state?.exceeded && !trusted.has(network)) {
      refused.set(network, Date.now() + state.reset * 1000);
      throw tooOften(state.reset);
    }
    throw unauthenticatedError(message);
  };
}

const tooOften = (seconds: number) =>
  new AppError('RATE_LIMITED', `Too many wrong tokens. Try again in ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  });
