/** Email address of an account whose owner has confirmed it. */
import { accountsOf, type QueryHandle } from '../db/handles.ts';

/** In lower case. Undefined for guests and for accounts that have not confirmed their address. */
export async function findConfirmedEmail(queries: QueryHandle, userId: string): Promise<string | undefined> {
  const user = await accountsOf(queries).prisma.user.findUnique({
    where: { id: userId },
    select: { email: true, isConfirmed: true },
  });
  return user?.isConfirmed ? user.email?.toLowerCase() : undefined;
}
