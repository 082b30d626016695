/** Listens to notifications (LISTEN/NOTIFY) on a dedicated PostgreSQL connection, with heartbeat and reconnect. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { NotificationChannel, NotificationListener, StopListening } from '../handles.ts';
import type { PrimaryLocator } from '../replication/primary-locator.ts';

// Triggers of live updates send NOTIFY only while a listener holds these shared advisory locks (SQL function has_listeners).
const lockClass = 4_478_332;
const lockSlots = 32;

const queryTimeoutMs = 10_000;
/** Detects connections that a firewall dropped silently. */
const heartbeatMs = 30_000;
const firstRetryMs = 100;
const lastRetryMs = 5_000;

/** Resolves once LISTEN is active. A connection lost later is reopened, with retries from 100 ms up to every 5 s. */
export async function listenForPostgresNotifications(
  { Client, url: connectionString }: Pick<PrimaryLocator, 'Client' | 'url'>,
  listener: NotificationListener,
  channel: NotificationChannel,
  onError: (error: Error) => void,
): Promise<StopListening> {
  const stopping = new AbortController();
  let client = await connect();
  const heartbeat = setInterval(sendHeartbeat, heartbeatMs).unref();

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
    for (let delay = firstRetryMs; !stopping.signal.aborted; delay = Math.min(delay * 2, lastRetryMs)) {
      try {
        await sleep(delay, undefined, { signal: stopping.signal, ref: false });
        const next = await connect();
        if (stopping.signal.aborted) return void (await next.end());
        client = next;
        return listener.onReconnect();
      } catch (error) {
        if (!stopping.signal.aborted && error instanceof Error) onError(error);
      }
    }
  }

  function sendHeartbeat(): void {
    const checkedClient = client;
    // A failed heartbeat ends the connection; its `end` event triggers the reconnect.
    checkedClient.query('select 1').catch(() => checkedClient.end().catch(() => {}));
  }

  return async () => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    clearInterval(heartbeat);
    await client.end().catch(() => {});
  };
}
