/** The viewer's own account. */
import type { SignedIn } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { unauthenticated } from '../../errors.ts';
import type { User } from './model.ts';
import { readSelf } from './read-users.ts';

/** Matches the user while they exist and the session of their token was not revoked. */
export const stillSignedIn = ({ userId, sessionId }: SignedIn) => ({
  id: userId,
  ...(sessionId === undefined ? {} : { sessions: { some: { id: sessionId } } }),
});

/** Who was deleted or signed out since their token was made is told to sign in. */
export async function findMe(ctx: Context, queries: Queries = ctx.db): Promise<User> {
  const { person } = ctx.viewer;
  const me = person && (await readSelf(queries, stillSignedIn(person)));
  if (!me) throw unauthenticated();
  return me;
}
