/** Who may be answered by a replica, and what those who write are told so that they never miss what they wrote. */
import type { Context } from '../../context.ts';

/**
 * For queries: guests may be shown products and content as they were a moment ago. Others only if they say what they have to see; who
 * does not may just have written.
 */
export function withReplicaReads(ctx: Context): Context {
  const { db, request, viewer } = ctx;
  if (!db.replicas) return ctx;
  const isKnown = viewer.user !== undefined && !viewer.user.isGuest;
  if (isKnown && request.consistencyToken === undefined) return ctx;
  const short = db.replicas.readerAt(request.consistencyToken);
  return short ? { ...ctx, db: { ...db, contentReplica: { ...db, shortRead: short } } } : ctx;
}

/** For mutations: the answer says how far the database has come with them. */
export async function setConsistencyToken({ db, request }: Context): Promise<void> {
  if (db.replicas) request.responseHeaders['x-consistency-token'] = await db.replicas.currentLsn();
}
