/**
 * `deleteMe`: deletes the viewer's account. The books of businesses stay (see erase-users.ts). Fails when a business would lose its
 * last ADMIN.
 */
import { deleteAccountPlaceholderRow } from '../../../auth/account-placeholder-rows.ts';
import { verifyPassword } from '../../../auth/hash-and-verify-passwords.ts';
import type { Context } from '../../../context.ts';
import { unauthenticatedError } from '../../../errors.ts';
import { contextsOfServers } from '../../../find-on-servers.ts';
import { deleteIdempotencyKeysOfUser } from '../../../idempotency.ts';
import { resignAllRoles } from '../../businesses/staff/manage-memberships.ts';
import { runAccountDeletionHooks } from '../../shared/personal-data/account-deletion-hook-registry.ts';
import { buildSignedInUserWhere } from '../account/load-own-account.ts';
import {
  accountRateLimitRules,
  buildClientNetworkRateLimitKey,
  enforceRateLimits,
  type RateLimitedAttempt,
  releaseRateLimitedAttempts,
} from '../rate-limits.ts';
import { endSessionsInTransaction } from '../sign-in/sessions.ts';
import { wrongPasswordError } from '../sign-in/sign-in-with-password.ts';
import { scheduleUserErasure } from './erase-users.ts';

/** Accounts with a password require it; for accounts without one, the session is sufficient proof. */
export async function deleteMe(
  ctx: Context,
  { password }: { password?: string | undefined },
): Promise<{ id: string }> {
  const { accountUser: user } = ctx.viewer;
  if (!user) throw unauthenticatedError();
  const attempts: RateLimitedAttempt[] = [[accountRateLimitRules.loginByAccountHere, user.userId]];
  await enforceRateLimits(ctx, ...attempts);
  const storedUser = await ctx.db.prisma.user.findFirst({
    where: buildSignedInUserWhere(user),
    select: { passwordHash: true },
  });
  if (!storedUser) throw unauthenticatedError();
  if (
    storedUser.passwordHash !== null &&
    !(await verifyPassword(storedUser.passwordHash, password ?? '', buildClientNetworkRateLimitKey(ctx)))
  ) {
    throw wrongPasswordError('password', 'The password is wrong.');
  }
  await releaseRateLimitedAttempts(ctx, ...attempts);
  const [, ...otherServers] = contextsOfServers(ctx);
  await ctx.db.transaction(async (tx) => {
    const { userId } = user;
    await resignAllRoles(tx, userId);
    await endSessionsInTransaction(ctx, tx, { userId });
    const contacts = await scheduleUserErasure(ctx, tx, userId);
    await deleteIdempotencyKeysOfUser(tx, userId);
    // Events with a business stay: they belong to the audit log of the business.
    await tx.prisma.securityEvent.deleteMany({ where: { userId, businessId: null } });
    await tx.prisma.user.deleteMany({ where: { id: userId } });
    await leaveServers(otherServers, { userId, contacts });
  });
  await ctx.revocations.refresh();
  return { id: user.userId };
}

/**
 * Ends what the account has on other servers, in nested transactions: all of them succeed before the first one commits. The home server
 * commits last, so that the account still exists, and can be deleted again, if a commit fails.
 */
async function leaveServers(
  [server, ...others]: readonly Context[],
  person: { userId: string; contacts: readonly string[] },
): Promise<void> {
  await server?.db.transaction(async (tx) => {
    await resignAllRoles(tx, person.userId);
    await runAccountDeletionHooks(server, tx, person);
    await deleteIdempotencyKeysOfUser(tx, person.userId);
    await deleteAccountPlaceholderRow(tx, person.userId);
    await leaveServers(others, person);
  });
}
