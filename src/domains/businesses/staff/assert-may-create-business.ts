/** Asserts that an account may create a business: BUSINESS_FOUNDERS and BUSINESSES_PER_ACCOUNT. */
import { findConfirmedEmail } from '../../../auth/find-confirmed-email.ts';
import type { Context } from '../../../context.ts';
import { businessServersOf, type QueryHandle, takeAdvisoryLock } from '../../../db/index.ts';
import { forbiddenError } from '../../../errors.ts';

/** The lock, held until the end of the transaction, makes concurrent requests of an account count each other. */
export async function assertMayCreateBusiness(
  { config: { quotas } }: Pick<Context, 'config'>,
  tx: QueryHandle,
  userId: string,
): Promise<void> {
  await takeAdvisoryLock(tx, `founder:${userId}`);
  if (quotas.businessFounders) {
    const email = await findConfirmedEmail(tx, userId);
    if (email === undefined || !quotas.businessFounders.includes(email))
      throw forbiddenError('Only accounts that the operator has listed may create a business.');
  }
  const counts = await Promise.all(
    businessServersOf(tx).map(({ prisma }) => prisma.membership.count({ where: { userId, givenBy: null } })),
  );
  const founded = counts.reduce((sum, count) => sum + count, 0);
  if (founded >= quotas.businessesPerAccount)
    throw forbiddenError(`An account can create ${quotas.businessesPerAccount} businesses.`);
}
