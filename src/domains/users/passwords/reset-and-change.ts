/** Password reset with a mailed link, and password change with the old password. */
import type { z } from 'zod';
import { hashPassword, verifyPassword } from '../../../auth/hash-and-verify-passwords.ts';
import type { Context } from '../../../context.ts';
import { unauthenticatedError, validationError } from '../../../errors.ts';
import { now } from '../../../lib/time.ts';
import { createMailMessageId, queueMail } from '../../shared/queue-mail.ts';
import { buildSignedInUserWhere } from '../account/load-own-account.ts';
import { revokeApiKeys } from '../account/manage-api-keys.ts';
import { deleteOneTimeTokens, verifyOneTimeToken } from '../account/one-time-tokens.ts';
import { deriveGuessablePasswordWords, findPasswordWeakness } from '../email-phone-and-password-rules.ts';
import { buildPasswordChangedMail } from '../messages/build-account-mails.ts';
import {
  sendPasswordResetMailJob,
  type TokenMailRequest,
} from '../messages/send-one-time-token-mail-jobs.ts';
import {
  accountRateLimitRules,
  buildClientNetworkRateLimitKey,
  enforceRateLimits,
  type RateLimitedAttempt,
  releaseRateLimitedAttempts,
} from '../rate-limits.ts';
import type { changePasswordSchema, resetForgottenPasswordSchema } from '../schemas.ts';
import { recordSecurityEvent } from '../security-events/security-events.ts';
import { endSessionsInTransaction } from '../sign-in/sessions.ts';
import { wrongPasswordError } from '../sign-in/sign-in-with-password.ts';

/** A job looks up the account, so that neither the response nor its timing reveals whether the account exists. */
export async function forgotPassword(
  ctx: Context,
  { email, linkBase }: Pick<TokenMailRequest, 'email' | 'linkBase'>,
): Promise<void> {
  await enforceRateLimits(
    ctx,
    [accountRateLimitRules.forgotByAddress, buildClientNetworkRateLimitKey(ctx)],
    [accountRateLimitRules.forgotByAccount, email],
  );
  const messageId = createMailMessageId(ctx.config);
  await ctx.jobs.enqueue(ctx.db, sendPasswordResetMailJob, { email, linkBase, messageId });
}

/** The mailed token proves ownership of the address, so the reset also confirms it. */
export async function resetForgottenPassword(
  ctx: Context,
  { token, password, keepApiTokens }: z.output<typeof resetForgottenPasswordSchema>['input'],
): Promise<void> {
  const reset = await verifyOneTimeToken(ctx, 'RESET', token);
  const { userId } = reset;
  const user = await ctx.db.prisma.user.findUnique({ where: { id: userId }, select: { email: true } });
  assertNotGuessable('password', password, user?.email);
  const passwordHash = await hashPassword(password, buildClientNetworkRateLimitKey(ctx));
  await ctx.db.transaction(async (tx) => {
    await reset.use(tx);
    await tx.prisma.user.updateMany({
      where: { id: userId },
      data: { passwordHash, isConfirmed: true, updatedAt: now(), version: { increment: 1 } },
    });
    await deleteOneTimeTokens(tx, userId);
    await recordSecurityEvent(ctx, tx, { type: 'PASSWORD_RESET', userId });
    // An attacker with access to the account may have created API keys to return with.
    if (!keepApiTokens) await revokeApiKeys(ctx, tx, userId);
    await endSessionsInTransaction(ctx, tx, { userId });
    if (user?.email) await queueMail(ctx, tx, buildPasswordChangedMail(ctx.config, user.email));
  });
  await ctx.revocations.refresh();
}

/** Ends all sessions of the user except the one of the request. */
export async function changePassword(
  ctx: Context,
  { oldPassword, newPassword }: z.output<typeof changePasswordSchema>['input'],
): Promise<void> {
  const { accountUser: viewer } = ctx.viewer;
  if (!viewer) throw unauthenticatedError();
  const attempts: RateLimitedAttempt[] = [[accountRateLimitRules.loginByAccountHere, viewer.userId]];
  await enforceRateLimits(ctx, ...attempts);
  const user = await ctx.db.prisma.user.findFirst({
    where: buildSignedInUserWhere(viewer),
    select: { passwordHash: true, email: true },
  });
  if (!user) throw unauthenticatedError();
  const wrongOldPassword = () => wrongPasswordError('oldPassword', 'The old password is wrong.');
  if (!(await verifyPassword(user.passwordHash, oldPassword, buildClientNetworkRateLimitKey(ctx))))
    throw wrongOldPassword();
  await releaseRateLimitedAttempts(ctx, ...attempts);
  assertNotGuessable('newPassword', newPassword, user.email);
  const passwordHash = await hashPassword(newPassword, buildClientNetworkRateLimitKey(ctx));
  await ctx.db.transaction(async (tx) => {
    const { count } = await tx.prisma.user.updateMany({
      where: { id: viewer.userId, passwordHash: user.passwordHash },
      data: { passwordHash, updatedAt: now(), version: { increment: 1 } },
    });
    if (count === 0) throw wrongOldPassword();
    await deleteOneTimeTokens(tx, viewer.userId);
    await recordSecurityEvent(ctx, tx, { type: 'PASSWORD_CHANGED', userId: viewer.userId });
    const { userId, sessionId } = viewer;
    await endSessionsInTransaction(ctx, tx, {
      userId,
      ...(sessionId === undefined ? {} : { id: { not: sessionId } }),
    });
    if (user.email) await queueMail(ctx, tx, buildPasswordChangedMail(ctx.config, user.email));
  });
  await ctx.revocations.refresh();
}

function assertNotGuessable(field: string, password: string, email: string | null | undefined): void {
  const weakness = findPasswordWeakness(password, deriveGuessablePasswordWords(email));
  if (weakness) throw validationError(field, 'PASSWORD_WEAK', weakness);
}
