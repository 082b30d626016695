/**
 * Finds the primary among several hosts of one URL: `postgresql://user@first:5432,second:5432/name`. All hosts are queried again when a
 * connection ends, and regularly: a former primary that still runs, and accepts writes, does not end its connections.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { splitMultiHostUrl } from '../../lib/net/multi-host-url.ts';
import { OperatorError } from '../../lib/operator-errors.ts';
import { destroyUnresponsiveSocket } from '../postgres/dead-connections.ts';

export interface PrimaryLocator {
  /** URL of the host that was the primary at the last search. */
  readonly url: string;
  /** Client class that connects to the current primary. */
  readonly Client: typeof pg.Client;
  /** Whether the URL lists several hosts, so that the primary may change. */
  readonly hasSeveralHosts: boolean;
  /** Searches for the primary; throws after 10 s without one. */
  find(): Promise<void>;
  /** Stops all searches. */
  close(): void;
}

/** Minimum time between two searches. */
const searchIntervalMs = 250;
/** Interval of regular searches: a process uses a former primary for at most this time after a promotion. */
const regularSearchMs = 2_000;
/** Timeout of each host. */
const responseMs = 2_000;
/** A starting process waits this long for a primary. */
const startTimeoutMs = 10_000;

export function createPrimaryLocator(url: string): PrimaryLocator {
  const servers = splitMultiHostUrl(url);
  const [first = url] = servers;
  if (servers.length === 1)
    return { url: first, Client: pg.Client, hasSeveralHosts: false, find: async () => {}, close: () => {} };

  let current = first;
  let latest: PrimaryCandidate | undefined;
  let searchedAt = Number.NEGATIVE_INFINITY;
  let nextSearch: NodeJS.Timeout | undefined;
  let closed = false;
  /** Open connections, with the URL that each was opened to. */
  const connections = new Map<pg.ClientBase, string>();

  /** Destroys all connections to other hosts, whose data may be outdated. */
  function moveTo(url: string): void {
    current = url;
    for (const [client, target] of connections) if (target !== url) destroyUnresponsiveSocket(client);
  }

  async function search(): Promise<boolean> {
    searchedAt = performance.now();
    const candidates = (await Promise.all(servers.map(queryHost))).filter((server) => server !== undefined);
    // If two hosts accept writes, the one with the higher timeline was promoted later; the other is outdated, also while the newer one
    // does not respond.
    const [best] = candidates
      .filter(({ system, timeline }) => system !== latest?.system || timeline >= latest.timeline)
      .sort((a, b) => b.timeline - a.timeline || Number(b.url === current) - Number(a.url === current));
    if (!best) return false;
    latest = best;
    if (best.url !== current) moveTo(best.url);
    return true;
  }

  function scheduleSearch(): void {
    if (nextSearch || closed) return;
    const delay = Math.max(0, searchedAt + searchIntervalMs - performance.now());
    nextSearch = setTimeout(() => {
      void search().finally(() => {
        nextSearch = undefined;
      });
    }, delay).unref();
  }

  const regularSearch = setInterval(() => {
    // A search is under way or was just made.
    if (performance.now() - searchedAt >= regularSearchMs / 2) scheduleSearch();
  }, regularSearchMs).unref();

  class Client extends pg.Client {
    constructor(config: string | pg.ClientConfig = {}) {
      const target = current;
      super({ ...(typeof config === 'string' ? {} : config), connectionString: target });
      this.once('connect', () => {
        connections.set(this, target);
        if (target !== current) destroyUnresponsiveSocket(this);
      });
      this.once('end', () => {
        connections.delete(this);
        scheduleSearch();
      });
    }
  }
  return {
    get url() {
      return current;
    },
    Client,
    hasSeveralHosts: true,
    async find() {
      // A replica may be about to be promoted.
      for (
        const until = performance.now() + startTimeoutMs;
        performance.now() < until;
        await sleep(searchIntervalMs)
      )
        if (await search()) return;
      const hosts = servers.map((server) => new URL(server).host).join(', ');
      throw new OperatorError(
        `DATABASE_URL: none of ${hosts} responds and accepts writes. Start or promote one, or correct the URL.`,
      );
    },
    close() {
      closed = true;
      clearInterval(regularSearch);
      clearTimeout(nextSearch);
    },
  };
}

interface PrimaryCandidate {
  url: string;
  /** System identifier: equal on a server and its standbys. */
  system: string;
  timeline: number;
}

/** Undefined if the host does not respond or is in recovery. */
async function queryHost(url: string): Promise<PrimaryCandidate | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'duet search',
    connectionTimeoutMillis: responseMs,
    query_timeout: responseMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<{ system: string; timeline: number; follows: boolean }>(
      `select (pg_control_system()).system_identifier::text as system, (pg_control_checkpoint()).timeline_id as timeline,
        pg_is_in_recovery() as follows`,
    );
    const [row] = rows;
    return row && !row.follows ? { url, system: row.system, timeline: row.timeline } : undefined;
  } catch {
    return undefined;
  } finally {
    void client.end().catch(() => {});
  }
}
