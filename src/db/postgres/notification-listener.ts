/** Hears what triggers announce, on a PostgreSQL connection that does nothing else. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { NotificationChannel, NotificationListener, StopListening } from '../handles.ts';
import type { PrimaryLocator } from '../replication/primary-locator.ts';

// The triggers of live updates announce only while somebody holds these locks; the numbers are theirs.
const lockClass = 4_478_332;
const lockSlots = 32;

const queryTimeoutMs = 10_000;
/** Often enough to notice connections that a firewall has dropped silently. */
const heartbeatMs = 30_000;
const firstRetryMs = 100;
const lastRetryMs = 5_000;

/** Resolves once it listens. A connection that is lost later is replaced, for as long as it takes. */
export async function listenOnPostgres(
  { Client }: Pick<PrimaryLocator, 'Client'>,
  connectionString: string,
  listener: NotificationListener,
  channel: NotificationChannel,
  onError: (error: Error) => void,
): Promise<StopListening> {
  const stopping = new AbortController();
  let client = await connect();
  const heartbeat = setInterval(beat, heartbeatMs).unref();

  async function connect(): Promise<pg.Client> {
    const next = new Client({
      connectionString,
      application_name: channel.replace('_', ' '),
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: queryTimeoutMs,
    });
    let listening = false;
    next.on('error', onError);
    next.on('notification', ({ payload = '' }) => listener.onNotification(payload));
    next.once('end', () => {
      if (listening) void reconnect();
    });
    try {
      await next.connect();
      if (channel === 'duet_live')
        await next.query(
          `select pg_advisory_lock_shared($1, slot) from generate_series(0, $2::int - 1) as slot`,
          [lockClass, lockSlots],
        );
      await next.query(`listen ${channel}`);
      listening = true;
      return next;
    } catch (error) {
      void next.end().catch(() => {});
      throw error;
    }
  }

  async function reconnect(): Promise<void> {
    for (let wait = firstRetryMs; !stopping.signal.aborted; wait = Math.min(wait * 2, lastRetryMs)) {
      try {
        await sleep(wait, undefined, { signal: stopping.signal, ref: false });
        const next = await connect();
        if (stopping.signal.aborted) return void (await next.end());
        client = next;
        return listener.onReconnect();
      } catch (error) {
        if (!stopping.signal.aborted && error instanceof Error) onError(error);
      }
    }
  }

  function beat(): void {
    const beating = client;
    // The `end` event opens the next connection.
    beating.query('select 1').catch(() => beating.end().catch(() => {}));
  }

  return async () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    clearInterval(heartbeat);
    await client.end().catch(() => {});
  };
}
