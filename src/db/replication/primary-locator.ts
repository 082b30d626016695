/**
 * Finds the primary among several hosts of one URL: `postgresql://user@first:5432,second:5432/name`. When a connection ends, all hosts
 * are queried again, so that a promoted replica is found.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { splitMultiHostUrl } from '../../lib/net/multi-host-url.ts';
import { OperatorError } from '../../lib/operator-errors.ts';

export interface PrimaryLocator {
  /** URL of the host that was the primary at the last search. */
  readonly url: string;
  /** Client class that connects to the current primary. */
  readonly Client: typeof pg.Client;
  /** Whether the URL lists several hosts, so that the primary may change. */
  readonly hasSeveralHosts: boolean;
  /** Searches for the primary; throws after 10 s without one. */
  find(): Promise<void>;
  /** Stops searching. */
  close(): void;
}

/** Minimum time between two searches. */
const searchIntervalMs = 250;
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
  let searchedAt = Number.NEGATIVE_INFINITY;
  let nextSearch: NodeJS.Timeout | undefined;
  let closed = false;

  async function search(): Promise<boolean> {
    searchedAt = performance.now();
    const candidates = (await Promise.all(servers.map(queryHost))).filter((server) => server !== undefined);
    // If two hosts accept writes, the one with the higher timeline was promoted later; the other is outdated.
    const [best] = candidates.sort(
      (a, b) => b.timeline - a.timeline || Number(b.url === current) - Number(a.url === current),
    );
    if (best) current = best.url;
    return best !== undefined;
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

  class Client extends pg.Client {
    constructor(config: string | pg.ClientConfig = {}) {
      super({ ...(typeof config === 'string' ? {} : config), connectionString: current });
      this.once('end', scheduleSearch);
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
      clearTimeout(nextSearch);
    },
  };
}

interface PrimaryCandidate {
  url: string;
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
    const { rows } = await client.query<{ timeline: number; follows: boolean }>(
      'select (pg_control_checkpoint()).timeline_id as timeline, pg_is_in_recovery() as follows',
    );
    const [row] = rows;
    return row && !row.follows ? { url, timeline: row.timeline } : undefined;
  } catch {
    return undefined;
  } finally {
    void client.end().catch(() => {});
  }
}
