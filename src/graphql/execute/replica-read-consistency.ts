/** Read-your-writes consistency: decides which queries may use a replica, and returns a consistency token after mutations. */
import type { Context } from '../../context.ts';
import type { ReplicaRouter } from '../../db/handles.ts';

/**
 * For queries: anonymous viewers and guests may read products and content from a replica. Signed-in users only with a consistency
 * token; without one they may just have written.
 */
export function toReplicaReadContext(ctx: Context, replicas: ReplicaRouter): Context {
  const { db, request, viewer } = ctx;
  const isSignedInUser = viewer.user !== undefined && !viewer.user.isGuest;
  if (isSignedInUser && request.consistencyToken === undefined) return ctx;
  const short = replicas.readerAt(request.consistencyToken);
  return short ? { ...ctx, db: { ...db, contentReplica: { ...db, shortRead: short } } } : ctx;
}

/** For mutations: sets the header `x-consistency-token` to the current WAL position. */
export async function addConsistencyTokenHeader({ db, request }: Context): Promise<void> {
  if (db.replicas) request.responseHeaders['x-consistency-token'] = await db.replicas.currentLsn();
}
