/**
 * The server that takes writes, among several in one address: `postgresql://user@first:5432,second:5432/name`. When a connection
 * ends, all are asked again, so that a replica that was promoted is found.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { splitMultiHostUrl } from '../../lib/net/multi-host-url.ts';
import { OperatorError } from '../../lib/operator-errors.ts';

export interface PrimaryLocator {
  /** Where it was seen last. */
  readonly url: string;
  /** Opens connections to it, wherever it is by then. */
  readonly Client: typeof pg.Client;
  /** Whether it may move. */
  readonly hasSeveralHosts: boolean;
  /** Looks for it; throws when there is none. */
  find(): Promise<void>;
  /** From now on it is not looked for. */
  close(): void;
}

/** Searches begin no sooner after each other than this. */
const pauseMs = 250;
const answerMs = 2_000;
/** How long a process that starts waits for there to be one. */
const patienceMs = 10_000;

export function createPrimaryLocator(url: string): PrimaryLocator {
  const servers = splitMultiHostUrl(url);
  const [first = url] = servers;
  if (servers.length === 1)
    return { url: first, Client: pg.Client, hasSeveralHosts: false, find: async () => {}, close: () => {} };

  let current = first;
  let searchedAt = Number.NEGATIVE_INFINITY;
  let next: NodeJS.Timeout | undefined;
  let closed = false;

  async function search(): Promise<boolean> {
    searchedAt = performance.now();
    const found = (await Promise.all(servers.map(lookAt))).filter((server) => server !== undefined);
    // Of two that take writes, the one that was promoted later goes on; the other has been left behind.
    const [best] = found.sort(
      (a, b) => b.timeline - a.timeline || Number(b.url === current) - Number(a.url === current),
    );
    if (best) current = best.url;
    return best !== undefined;
  }

  function doubt(): void {
    if (next || closed) return;
    const wait = Math.max(0, searchedAt + pauseMs - performance.now());
    next = setTimeout(() => {
      void search().finally(() => {
        next = undefined;
      });
    }, wait).unref();
  }

  class Client extends pg.Client {
    constructor(config: string | pg.ClientConfig = {}) {
      super({ ...(typeof config === 'string' ? {} : config), connectionString: current });
      this.once('end', doubt);
    }
  }
  return {
    get url() {
      return current;
    },
    Client,
    hasSeveralHosts: true,
    async find() {
      // One may just be on its way to be promoted.
      for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(pauseMs))
        if (await search()) return;
      const hosts = servers.map((server) => new URL(server).host).join(', ');
      throw new OperatorError(
        `DATABASE_URL: none of ${hosts} answers and takes writes. Start or promote one, or correct the addresses.`,
      );
    },
    close() {
      closed = true;
      clearTimeout(next);
    },
  };
}

interface Found {
  url: string;
  timeline: number;
}

/** Undefined unless it takes writes. */
async function lookAt(url: string): Promise<Found | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'duet search',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
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
