/** Revoked sessions whose access tokens have not expired yet, cached in every process so that requests need no query. */
import type { Logger } from 'pino';
import type { Db } from '../db/handles.ts';
import { now } from '../lib/time.ts';
import type { GatewayKeys } from './gateway-keys.ts';
import { signingKeysNotification } from './load-rotate-and-reencrypt-stored-keys.ts';
import { accessTokenLifetimeSeconds } from './sign-and-verify-tokens.ts';

export interface RevokedSessionCache {
  /** Times of revocation by session id. */
  readonly revokedAt: ReadonlyMap<string, number>;
  /** Loads recent revocations. Call it after revoking a session, so that this process applies it at once. */
  refresh(): Promise<void>;
  /** Clears the cache and loads all revocations again. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

/** Overlap of two loads: a transaction that commits late has written an earlier time. */
const overlapSeconds = 60;
/** After this time every access token of a revoked session has expired. */
export const revokedSessionCacheSeconds = accessTokenLifetimeSeconds + overlapSeconds;

/** Revocations since `$1`, oldest first, and the current time of the database. */
const recentStatement = `
  select r.id, t.time - r.revoked_at as age, t.time
  from (select extract(epoch from now())::bigint as time) t
  left join revoked_sessions r on r.revoked_at >= greatest($1::bigint, t.time - $2::bigint)
  order by r.revoked_at`;

/**
 * A trigger on `sessions` notifies the channel `duet_revoked` of every deleted session, independent of the cause; a rotation of the signing
 * keys notifies it as well.
 */
export async function createRevokedSessionCache(
  db: Db,
  keys: Pick<GatewayKeys, 'reloadChanged'>,
  log: Logger,
): Promise<RevokedSessionCache> {
  const revokedAt = new Map<string, number>();
  /** Clock of the database, like `revoked_at`: the clock of the process may differ. */
  let loadedUntil = 0;

  const addRevocation = (id: string, time: number) => {
    revokedAt.delete(id);
    revokedAt.set(id, time);
    // The map is in insertion order, so expired entries come first.
    for (const [oldId, oldTime] of revokedAt) {
      if (oldTime > now() - revokedSessionCacheSeconds) break;
      revokedAt.delete(oldId);
    }
  };

  async function refresh(): Promise<void> {
    const rows = await db.sql<{ id: string | null; age: number; time: number }>(recentStatement, [
      loadedUntil - overlapSeconds,
      revokedSessionCacheSeconds,
    ]);
    for (const { id, age, time } of rows) {
      if (id !== null) addRevocation(id, now() - age);
      loadedUntil = time;
    }
  }

  async function reload(): Promise<void> {
    revokedAt.clear();
    loadedUntil = 0;
    await refresh();
  }

  const close = await db.listen(
    {
      onNotification: (payload) => {
        if (payload === signingKeysNotification) void keys.reloadChanged();
        else addRevocation(payload, now());
      },
      onReconnect: () => {
        void keys.reloadChanged();
        void refresh().catch((err: unknown) => log.warn({ err }, 'cannot load revoked sessions'));
      },
    },
    'duet_revoked',
  );
  await reload();
  return { revokedAt, refresh, reload, close };
}
