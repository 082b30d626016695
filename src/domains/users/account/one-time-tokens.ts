/** One-time tokens of confirmation and password reset links: signed, valid for an hour, deleted at their first use. */
import type { OneTimeTokenPurpose } from '../../../auth/sign-and-verify-tokens.ts';
import type { Context, Services } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { validationError } from '../../../errors.ts';
import { sha256Hex } from '../../../lib/hash-encrypt-and-random-tokens.ts';
import { now } from '../../../lib/time.ts';

/** For both purposes, by the contract of REST. */
const validSeconds = 3600;

interface UnsavedOneTimeToken {
  token: string;
  /** Stores the hash of the token, which makes it valid. */
  save(tx: QueryHandle): Promise<void>;
}

export async function createUnsavedOneTimeToken(
  { tokens }: Pick<Services, 'tokens'>,
  purpose: OneTimeTokenPurpose,
  userId: string,
): Promise<UnsavedOneTimeToken> {
  const expiresAt = now() + validSeconds;
  const { token, jti } = await tokens.issueOneTime(purpose, { sub: userId, exp: expiresAt });
  return {
    token,
    async save({ prisma }) {
      await prisma.oneTimeToken.create({ data: { jtiHash: sha256Hex(jti), userId, purpose, expiresAt } });
    },
  };
}

interface VerifiedOneTimeToken {
  userId: string;
  /** Deletes the stored token; throws when a concurrent request has used it. */
  use(tx: QueryHandle): Promise<void>;
}

/** Verifies the signature before any expensive work. `use`, in the transaction of the change, enforces single use. */
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
        where: { jtiHash: sha256Hex(claims.jti), userId: claims.sub, purpose, expiresAt: { gt: now() } },
      });
      if (count === 0) throw invalidToken();
    },
  };
}

/** Email address of the account that a link belongs to; undefined when the link is invalid, used or expired. */
export async function findEmailOfOneTimeToken(
  { db, tokens }: Pick<Services, 'db' | 'tokens'>,
  purpose: OneTimeTokenPurpose,
  token: string,
): Promise<string | undefined> {
  const claims = await tokens.verifyOneTime(purpose, token);
  if (!claims) return undefined;
  const { sub: userId } = claims;
  const where = { jtiHash: sha256Hex(claims.jti), userId, purpose, expiresAt: { gt: now() } };
  const storedToken = await db.prisma.oneTimeToken.findFirst({
    where,
    select: { user: { select: { email: true } } },
  });
  return storedToken?.user.email ?? undefined;
}

/** Email address of the account that a confirmation link has confirmed already; undefined when the link is invalid or expired. */
export async function findConfirmedEmailOfToken(
  { db, tokens }: Pick<Services, 'db' | 'tokens'>,
  token: string,
): Promise<string | undefined> {
  const claims = await tokens.verifyOneTime('CONFIRM', token);
  if (!claims) return undefined;
  const user = await db.prisma.user.findFirst({
    where: { id: claims.sub, isConfirmed: true },
    select: { email: true },
  });
  return user?.email ?? undefined;
}

/** Invalidates all confirmation and reset links of the user. Called when the password changes. */
export async function deleteOneTimeTokens({ prisma }: QueryHandle, userId: string): Promise<void> {
  await prisma.oneTimeToken.deleteMany({ where: { userId } });
}

const invalidToken = () =>
  validationError(
    'token',
    'INVALID_TOKEN',
    'This link is unknown, was used already, or has expired. Request a new one.',
  );
