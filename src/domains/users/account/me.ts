/** The viewer's own account. */
import type { AuthenticatedUser } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { unauthenticatedError } from '../../../errors.ts';
import type { User } from '../model.ts';
import { loadUserAsSelf } from '../people/read-users.ts';

/** Matches the user while they exist and the session of their token was not revoked. */
export const signedInUserWhere = ({ userId, sessionId }: AuthenticatedUser) => ({
  id: userId,
  ...(sessionId === undefined ? {} : { sessions: { some: { id: sessionId } } }),
});

/** Who was deleted or signed out since their token was made is told to sign in. */
export async function requireMe(ctx: Context, queries: Queries = ctx.db): Promise<User> {
  const { accountUser: person } = ctx.viewer;
  const me = person && (await loadUserAsSelf(queries, signedInUserWhere(person)));
  if (!me) throw unauthenticatedError();
  return me;
}
