/** Which sessions were ended while access tokens of them are still about. Every process knows, without a query per request. */
import type { Logger } from 'pino';
import type { Db } from '../db/handles.ts';
import { now } from '../lib/time.ts';
import { accessTokenSeconds } from './tokens.ts';

export interface RevokedSessions {
  has(sessionId: string): boolean;
  /** Looks for what has come lately: for who has just ended a session. */
  refresh(): Promise<void>;
  /** Looks at everything anew. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** A transaction that is not over yet may have written an earlier time. */
const slackSeconds = 60;
/** After this long no access token of an ended session is valid any more. */
export const revocationMemorySeconds = accessTokenSeconds + slackSeconds;

/** What has come since a moment, the oldest first, and what time it is. */
const recent = `
  select r.id, t.time - r.revoked_at as age, t.time
  from (select extract(epoch from now())::bigint as time) t
  left join revoked_sessions r on r.revoked_at >= greatest($1::bigint, t.time - $2::bigint)
  order by r.revoked_at`;

/** A trigger on the table of sessions tells of every session that goes, whoever ends it and how. */
export async function watchRevokedSessions(db: Db, log: Logger): Promise<RevokedSessions> {
  const revoked = new Map<string, number>();
  /** By the clock of the database, as all times here that it has written: that of a process may be another. */
  let seenUntil = 0;

  const note = (id: string, at: number) => {
    revoked.delete(id);
    revoked.set(id, at);
    // In the order of their coming: what is old stands first.
    for (const [old, since] of revoked) {
      if (since > now() - revocationMemorySeconds) break;
      revoked.delete(old);
    }
  };

  async function refresh(): Promise<void> {
    const rows = await db.sql<{ id: string | null; age: number; time: number }>(recent, [
      seenUntil - slackSeconds,
      revocationMemorySeconds,
    ]);
    for (const { id, age, time } of rows) {
      if (id !== null) note(id, now() - age);
      seenUntil = time;
    }
  }

  async function reload(): Promise<void> {
    revoked.clear();
    seenUntil = 0;
    await refresh();
  }

  const close = await db.listen(
    {
      onNotification: (id) => note(id, now()),
      onReconnect: () =>
        void refresh().catch((err: unknown) => log.warn({ err }, 'cannot look for ended sessions')),
    },
    'duet_revoked',
  );
  await reload();
  return { has: (sessionId) => revoked.has(sessionId), refresh, reload, close };
}
