/** Confirmation and reset tokens: signed, good for an hour, gone with their first use. */

import type { OneTimeTokenPurpose } from '../../../auth/tokens.ts';
import type { Context, Services } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { validationError } from '../../../errors.ts';
import { digest } from '../../../lib/crypto.ts';
import { now } from '../../../lib/time.ts';

const seconds = 3600;

export interface OneTimeToken {
  token: string;
  /** Makes it valid, in the transaction that sends it. */
  save(tx: Queries): Promise<void>;
}

export async function issueOneTimeToken(
  { tokens }: Pick<Services, 'tokens'>,
  purpose: OneTimeTokenPurpose,
  userId: string,
): Promise<OneTimeToken> {
  const expiresAt = now() + seconds;
  const { token, jti } = await tokens.issueOneTime(purpose, { sub: userId, exp: expiresAt });
  return {
    token,
    async save({ prisma }) {
      await prisma.oneTimeToken.create({ data: { jtiHash: digest(jti), userId, purpose, expiresAt } });
    },
  };
}

export interface VerifiedOneTimeToken {
  userId: string;
  /** Throws when somebody was faster. */
  use(tx: Queries): Promise<void>;
}

/** The signature is checked before anything costs: `use` then decides, in the transaction of the change. */
export async function verifyOneTimeToken(
  ctx: Context,
  purpose: OneTimeTokenPurpose,
  token: string,
): Promise<VerifiedOneTimeToken> {
  const claims = await ctx.tokens.verifyOneTime(purpose, token);
  if (!claims) throw invalidToken();
  return {
    userId: claims.sub,
    async use({ prisma }) {
      const { count } = await prisma.oneTimeToken.deleteMany({
        where: { jtiHash: digest(claims.jti), userId: claims.sub, purpose, expiresAt: { gt: now() } },
      });
      if (count === 0) throw invalidToken();
    },
  };
}

/** The address of the account that a link is for, while the link is good. */
export async function findTokenAccountEmail(
  { db, tokens }: Pick<Services, 'db' | 'tokens'>,
  purpose: OneTimeTokenPurpose,
  token: string,
): Promise<string | undefined> {
  const claims = await tokens.verifyOneTime(purpose, token);
  if (!claims) return undefined;
  const { sub: userId } = claims;
  const kept = { jtiHash: digest(claims.jti), userId, purpose, expiresAt: { gt: now() } };
  const found = await db.prisma.oneTimeToken.findFirst({
    where: kept,
    select: { user: { select: { email: true } } },
  });
  return found?.user.email ?? undefined;
}

/** A new password makes every link that was sent before worthless. */
export async function deleteOneTimeTokens({ prisma }: Queries, userId: string): Promise<void> {
  await prisma.oneTimeToken.deleteMany({ where: { userId } });
}

const invalidToken = () =>
  validationError({
    field: 'token',
    error: 'INVALID_TOKEN',
    message: 'This link was used already, has expired, or is not one of ours. Ask for a new one.',
  });
