/** Tokens of operators: compared in a time that tells nothing about them, and not to be guessed from one address. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Services } from '../context.ts';
import { AppError, unauthenticated } from '../errors.ts';
import { networkOf } from '../lib/addresses.ts';
import { remembered } from '../lib/remembered.ts';
import type { HttpRequest } from '../message.ts';
import type { LimitRule } from '../ports/limits.ts';
import { clientAddress } from './facts.ts';

const digest = (text: string) => createHash('sha256').update(text).digest();

export const holdsToken = (authorization: string | undefined, token: string): boolean =>
  timingSafeEqual(digest(authorization ?? ''), digest(`Bearer ${token}`));

const wrongTokens: LimitRule = { name: 'operator-address', points: 20, seconds: 900 };

/** Throws unless the request carries the token; `message` is for who has none. */
export type TokenCheck = (request: HttpRequest, message: string) => Promise<void>;

/** Who has shown wrong tokens too often is not listened to for a while, unless the right one came from there before. */
export function tokenCheck({ limits, config }: Services, token: string): TokenCheck {
  const trusted = remembered<true>('operators', 100);
  const refused = remembered<number>('refused_operators', 10_000);
  return async (request, message) => {
    const authorization = request.header('authorization');
    if (authorization === undefined) throw unauthenticated(message);
    const network = networkOf(clientAddress(request, config.trustedProxies));
    const until = trusted.has(network) ? 0 : (refused.get(network) ?? 0);
    if (until > Date.now()) throw tooOften(Math.ceil((until - Date.now()) / 1000));
    if (holdsToken(authorization, token)) {
      trusted.set(network, true);
      return;
    }
    const state = await limits.take(wrongTokens, network);
    if (state?.exceeded && !trusted.has(network)) {
      refused.set(network, Date.now() + state.reset * 1000);
      throw tooOften(state.reset);
    }
    throw unauthenticated(message);
  };
}

const tooOften = (seconds: number) =>
  new AppError('RATE_LIMITED', `Too many wrong tokens. Try again in ${seconds} seconds.`, {
    headers: { 'Retry-After': String(seconds) },
  });
