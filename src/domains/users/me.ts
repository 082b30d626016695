/** The viewer's own account. */
import { isStillSignedIn } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { unauthenticated } from '../../errors.ts';
import { ownColumns, type User } from './model.ts';

/** Who was deleted or signed out since their token was made is told to sign in. */
export async function findMe(ctx: Context, queries: Queries = ctx.db): Promise<User> {
  const { user } = ctx.viewer;
  const [me] = user
    ? await queries.sql<User>(`select ${ownColumns} from users u where ${isStillSignedIn('$1', '$2')}`, [
        user.userId,
        user.sessionId ?? null,
      ])
    : [];
  if (!me) throw unauthenticated();
  return me;
}
