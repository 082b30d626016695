/** Which sessions were ended while access tokens of them are still about. Every process knows, without a query per request. */
import type { Logger } from 'pino';
import type { Db } from '../db/sql.ts';
import { now } from '../lib/time.ts';
import { accessTokenSeconds } from './tokens.ts';

export interface Revocations {
  has(sessionId: string): boolean;
  /** Looks for what has come lately: for who has just ended a session. */
  refresh(): Promise<void>;
  /** Looks at everything anew. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Clocks of database and processes may differ by this much. */
const slackSeconds = 60;
/** After this long no access token of an ended session is valid any more. */
export const rememberedSeconds = accessTokenSeconds + slackSeconds;

/** A trigger on the table of sessions tells of every session that goes, whoever ends it and how. */
export async function watchRevocations(db: Db, log: Logger): Promise<Revocations> {
  const revoked = new Map<string, number>();
  let seenUntil = 0;

  const note = (id: string, at: number) => {
    revoked.delete(id);
    revoked.set(id, at);
    // In the order of their coming: what is old stands first.
    for (const [old, since] of revoked) {
      if (since > now() - rememberedSeconds) break;
      revoked.delete(old);
    }
  };

  async function refresh(): Promise<void> {
    const time = now();
    const since = Math.max(seenUntil - slackSeconds, time - rememberedSeconds);
    const rows = await db.sql<{ id: string; revoked_at: number }>(
      'select id, revoked_at from revoked_sessions where revoked_at >= $1 order by revoked_at',
      [since],
    );
    for (const { id, revoked_at } of rows) note(id, revoked_at);
    seenUntil = time;
  }

  async function reload(): Promise<void> {
    revoked.clear();
    seenUntil = 0;
    await refresh();
  }

  const close = await db.listen(
    {
      hear: (id) => note(id, now()),
      missed: () =>
        void refresh().catch((err: unknown) => log.warn({ err }, 'cannot look for ended sessions')),
    },
    'duet_revoked',
  );
  await reload();
  return { has: (sessionId) => revoked.has(sessionId), refresh, reload, close };
}
