/** Registration by email: the account exists at once and works after the address is confirmed. */
import type { z } from 'zod';
import { hashPassword } from '../../../auth/passwords.ts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { keyedDigest } from '../../../lib/crypto.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { queueMail } from '../../shared/queue-mail.ts';
import { recordSecurityEvent } from '../audit/security-events.ts';
import { oneTimeTokenLink } from '../messages/mail-links.ts';
import { buildConfirmEmailMail } from '../messages/mails.ts';
import { accountLimitRules, clientNetworkKey, enforceLimits } from '../rate-limits.ts';
import { badRequestWithDetail, type registerSchema } from '../schemas.ts';
import { issueOneTimeToken, verifyOneTimeToken } from './one-time-tokens.ts';

type Registration = z.output<ReturnType<typeof registerSchema>>['input'];

const registering = ['EMAIL_REGISTER', 'EMAIL'];

export async function register(ctx: Context, input: Registration): Promise<void> {
  const { provider, email, password, linkBase } = input;
  if (provider !== undefined && !registering.includes(provider)) {
    throw badRequestWithDetail('Registration takes the provider EMAIL_REGISTER.', {
      field: 'provider',
      error: 'INVALID_PROVIDER',
    });
  }
  await enforceLimits(
    ctx,
    [accountLimitRules.registerByAddress, clientNetworkKey(ctx)],
    [accountLimitRules.registerByAccount, email],
  );
  const userId = newId();
  const [passwordHash, confirmation] = await Promise.all([
    hashPassword(password),
    issueOneTimeToken(ctx, 'CONFIRM', userId),
  ]);
  // The key of a retry must not be a quick hash of the password.
  const fingerprint = { ...input, password: keyedDigest(ctx.keys.secret, 'register', password) };
  await runIdempotent(ctx, 'register', fingerprint, (queries) =>
    queries.transaction(async (tx) => {
      const time = now();
      // The unique key decides between registrations of the same moment: one account, one mail.
      const { count } = await tx.prisma.user.createMany({
        data: [{ id: userId, email, name: nameOf(input), passwordHash, createdAt: time, updatedAt: time }],
        skipDuplicates: true,
      });
      if (count === 0) throw emailExists();
      await confirmation.save(tx);
      await recordSecurityEvent(ctx, tx, { type: 'REGISTERED', userId });
      await queueMail(
        ctx,
        tx,
        buildConfirmEmailMail(email, oneTimeTokenLink(linkBase, 'confirm', confirmation.token)),
      );
      return { success: true };
    }),
  );
}

const nameOf = ({ name, firstName, lastName }: Registration) =>
  name ?? [firstName, lastName].filter(Boolean).join(' ');

const emailExists = () => {
  const message = 'There is an account with this email already.';
  return new AppError('BAD_REQUEST', message, {
    details: [{ field: 'email', error: 'EMAIL_EXISTS', message }],
  });
};

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
