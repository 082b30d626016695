/** Registration by email: the account is created at once; login requires a confirmed email address. */
import type { z } from 'zod';
import { hashPassword } from '../../../auth/hash-and-verify-passwords.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { hmacSha256Hex } from '../../../lib/hash-encrypt-and-random-tokens.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { createMailMessageId } from '../../shared/queue-mail.ts';
import { sendConfirmEmailMailJob } from '../messages/send-one-time-token-mail-jobs.ts';
import { accountRateLimitRules, buildClientNetworkRateLimitKey, enforceRateLimits } from '../rate-limits.ts';
import { badRequestWithDetail, type buildRegisterSchema } from '../schemas.ts';
import { recordSecurityEvent } from '../security-events/security-events.ts';
import { verifyOneTimeToken } from './one-time-tokens.ts';

type Registration = z.output<ReturnType<typeof buildRegisterSchema>>['input'];

const acceptedProviders = ['EMAIL_REGISTER', 'EMAIL'];

export async function registerUser(ctx: Context, input: Registration): Promise<void> {
  const { provider, email, password, linkBase } = input;
  if (provider !== undefined && !acceptedProviders.includes(provider)) {
    throw badRequestWithDetail('The provider of a registration must be EMAIL_REGISTER.', {
      field: 'provider',
      error: 'INVALID_PROVIDER',
    });
  }
  await enforceRateLimits(
    ctx,
    [accountRateLimitRules.registerByAddress, buildClientNetworkRateLimitKey(ctx)],
    [accountRateLimitRules.registerByAccount, email],
  );
  const userId = newId();
  const passwordHash = await hashPassword(password, buildClientNetworkRateLimitKey(ctx));
  // The idempotency fingerprint is stored: a keyed digest replaces the password, because a fast hash of it could be brute-forced.
  const fingerprint = { ...input, password: hmacSha256Hex(ctx.keys.secret, 'register', password) };
  await runIdempotent(ctx, 'register', fingerprint, (queries) =>
    queries.transaction(async (tx) => {
      const time = now();
      // The unique index on `email` makes concurrent registrations create one account and send one mail.
      const { count } = await tx.prisma.user.createMany({
        data: [{ id: userId, email, name: nameOf(input), passwordHash, createdAt: time, updatedAt: time }],
        skipDuplicates: true,
      });
      if (count === 0) throw emailExists();
      await recordSecurityEvent(ctx, tx, { type: 'REGISTERED', userId });
      const messageId = createMailMessageId(ctx.config);
      await ctx.jobs.enqueue(tx, sendConfirmEmailMailJob, { email, linkBase, messageId });
      return { success: true };
    }),
  );
}

const nameOf = ({ name, firstName, lastName }: Registration) =>
  name ?? [firstName, lastName].filter(Boolean).join(' ');

const emailExists = () => {
  const message = 'An account with this email address exists already.';
  return new AppError('BAD_REQUEST', message, {
    details: [{ field: 'email', error: 'EMAIL_EXISTS', message }],
  });
};

/** The job looks up the account, so that neither the response nor its timing reveals whether it exists or is confirmed. */
export async function resendConfirmation(
  ctx: Context,
  { email, linkBase }: Pick<Registration, 'email' | 'linkBase'>,
): Promise<void> {
  await enforceRateLimits(
    ctx,
    [accountRateLimitRules.forgotByAddress, buildClientNetworkRateLimitKey(ctx)],
    [accountRateLimitRules.confirmMailByAccount, email],
  );
  const messageId = createMailMessageId(ctx.config);
  await ctx.jobs.enqueue(ctx.db, sendConfirmEmailMailJob, { email, linkBase, messageId });
}

export async function confirmEmail(ctx: Context, { token }: { token: string }): Promise<void> {
  const confirmation = await verifyOneTimeToken(ctx, 'CONFIRM', token);
  await ctx.db.transaction(async (tx) => {
    await confirmation.use(tx);
    await tx.prisma.user.updateMany({
      where: { id: confirmation.userId },
      data: { isConfirmed: true, updatedAt: now(), version: { increment: 1 } },
    });
    await recordSecurityEvent(ctx, tx, { type: 'EMAIL_CONFIRMED', userId: confirmation.userId });
  });
}
