/** New passwords: chosen with a link from a mail, or by somebody who knows the old one. */
import { z } from 'zod';
import { hashPassword, verifyPassword } from '../../auth/passwords.ts';
import type { Context, Services } from '../../context.ts';
import { invalid, unauthenticated } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import { queueMail } from '../shared/queue-mail.ts';
import { revokeApiTokens } from './api-tokens.ts';
import type { changePasswordCheck, resetForgottenCheck } from './checks.ts';
import { type Attempt, addressKey, giveBack, limit, rules } from './limits.ts';
import { passwordWrong } from './login.ts';
import { passwordMail, resetMail } from './mails.ts';
import { stillSignedIn } from './me.ts';
import { forgetTokensOf, issueToken, verifyToken } from './one-time-tokens.ts';
import { tokenLink } from './origins.ts';
import { hintsOf, passwordFault } from './rules.ts';
import { recordEvent } from './security-events.ts';
import { endSessionsIn } from './sessions.ts';

const forgotten = z.object({ email: z.string(), linkBase: z.string() });

type Forgotten = z.output<typeof forgotten>;

/** Who has an account is found out by a job, so that neither the answer nor its time tells. */
export async function forgotPassword(ctx: Context, input: Forgotten): Promise<void> {
  await limit(ctx, [rules.forgotByAddress, addressKey(ctx)], [rules.forgotByAccount, input.email]);
  await ctx.jobs.enqueue(ctx.db, forgotPasswordJob, input);
}

async function sendResetMail(services: Services, { email, linkBase }: Forgotten): Promise<void> {
  const user = await services.db.prisma.user.findUnique({ where: { email }, select: { id: true } });
  if (!user) return;
  const reset = await issueToken(services, 'RESET', user.id);
  await services.db.transaction(async (tx) => {
    await reset.save(tx);
    await queueMail(services, tx, resetMail(email, tokenLink(linkBase, 'reset-password', reset.token)));
  });
}

export const forgotPasswordJob = defineJob('users.forgot-password', forgotten, sendResetMail);

/** Whoever reads the mail owns the address: it counts as confirmed from here on. */
export async function resetForgottenPassword(
  ctx: Context,
  { token, password, keepApiTokens }: z.output<typeof resetForgottenCheck>['input'],
): Promise<void> {
  const reset = await verifyToken(ctx, 'RESET', token);
  const { userId } = reset;
  const user = await ctx.db.prisma.user.findUnique({ where: { id: userId }, select: { email: true } });
  refuseGuessable('password', password, user?.email);
  const passwordHash = await hashPassword(password);
  await ctx.db.transaction(async (tx) => {
    await reset.use(tx);
    await tx.prisma.user.updateMany({
      where: { id: userId },
      data: { passwordHash, isConfirmed: true, updatedAt: now(), version: { increment: 1 } },
    });
    await forgetTokensOf(tx, userId);
    await recordEvent(ctx, tx, { type: 'PASSWORD_RESET', userId });
    // Whoever had the account may have left a way back in.
    if (!keepApiTokens) await revokeApiTokens(ctx, tx, userId);
    await endSessionsIn(ctx, tx, { userId });
    if (user?.email) await queueMail(ctx, tx, passwordMail(ctx.config, user.email));
  });
  await ctx.revocations.refresh();
}

/** Keeps the session it is made with and ends the others. */
export async function changePassword(
  ctx: Context,
  { oldPassword, newPassword }: z.output<typeof changePasswordCheck>['input'],
): Promise<void> {
  const { person: viewer } = ctx.viewer;
  if (!viewer) throw unauthenticated();
  const attempts: Attempt[] = [[rules.loginByAccountHere, viewer.userId]];
  await limit(ctx, ...attempts);
  const user = await ctx.db.prisma.user.findFirst({
    where: stillSignedIn(viewer),
    select: { passwordHash: true, email: true },
  });
  if (!user) throw unauthenticated();
  const wrong = () => passwordWrong('oldPassword', 'The old password is wrong.');
  if (!(await verifyPassword(user.passwordHash, oldPassword))) throw wrong();
  await giveBack(ctx, ...attempts);
  refuseGuessable('newPassword', newPassword, user.email);
  const passwordHash = await hashPassword(newPassword);
  await ctx.db.transaction(async (tx) => {
    const { count } = await tx.prisma.user.updateMany({
      where: { id: viewer.userId, passwordHash: user.passwordHash },
      data: { passwordHash, updatedAt: now(), version: { increment: 1 } },
    });
    if (count === 0) throw wrong();
    await forgetTokensOf(tx, viewer.userId);
    await recordEvent(ctx, tx, { type: 'PASSWORD_CHANGED', userId: viewer.userId });
    const { userId, sessionId } = viewer;
    await endSessionsIn(ctx, tx, { userId, ...(sessionId === undefined ? {} : { id: { not: sessionId } }) });
    if (user.email) await queueMail(ctx, tx, passwordMail(ctx.config, user.email));
  });
  await ctx.revocations.refresh();
}

function refuseGuessable(field: string, password: string, email: string | null | undefined): void {
  const fault = passwordFault(password, hintsOf(email));
  if (fault) throw invalid({ field, error: 'PASSWORD_WEAK', message: fault });
}
