/** Loads the viewer's own account. */
import type { AuthenticatedUser } from '../../../auth/viewer-and-authentication.ts';
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { unauthenticatedError } from '../../../errors.ts';
import type { User } from '../model.ts';
import { loadUserWithFieldsForSelf } from '../people/load-users-with-visible-fields.ts';

/** Prisma filter that matches the user as long as the account exists and the session of the token is not revoked. */
export const buildSignedInUserWhere = ({ userId, sessionId }: AuthenticatedUser) => ({
  id: userId,
  ...(sessionId === undefined ? {} : { sessions: { some: { id: sessionId } } }),
});

/** Throws UNAUTHENTICATED when the account was deleted or the session ended after the token was issued. */
export async function requireOwnAccount(ctx: Context, queries: QueryHandle = ctx.db): Promise<User> {
  const { accountUser } = ctx.viewer;
  const me = accountUser && (await loadUserWithFieldsForSelf(queries, buildSignedInUserWhere(accountUser)));
  if (!me) throw unauthenticatedError();
  return me;
}
