/** Gauges that are read at scrape time: connections, caches, queues, live streams. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReplicaRouterStatus } from '../../db/handles.ts';
import type { CacheStats } from '../../lib/cache/cache-registry.ts';
import type { QueueState } from '../../ports/jobs.ts';

/** Metrics of the read replicas: lag, use and reads, read at scrape time. */
function registerReplicaMetrics(
  register: Registry,
  use: () => Promise<ReplicaRouterStatus | undefined>,
): void {
  const registers = [register];
  new Gauge({
    name: 'duet_replica_lag_seconds',
    help: 'Replication lag of each replica in seconds; no value while it does not respond.',
    labelNames: ['replica'],
    registers,
    async collect() {
      this.reset();
      for (const { name, lagSeconds } of (await use())?.servers ?? [])
        if (lagSeconds !== undefined) this.set({ replica: name }, lagSeconds);
    },
  });
  new Gauge({
    name: 'duet_replica_in_use',
    help: '1 while a replica responds and its lag is low enough for reads.',
    labelNames: ['replica'],
    registers,
    async collect() {
      for (const { name, inUse } of (await use())?.servers ?? []) this.set({ replica: name }, inUse ? 1 : 0);
    },
  });
  new Counter({
    name: 'duet_replica_reads_total',
    help: 'Statements sent to a replica; failed: repeated on the primary.',
    labelNames: ['replica', 'outcome'],
    registers,
    async collect() {
      this.reset();
      for (const { name, answered, failed } of (await use())?.servers ?? []) {
        this.inc({ replica: name, outcome: 'answered' }, answered);
        this.inc({ replica: name, outcome: 'failed' }, failed);
      }
    },
  });
  new Counter({
    name: 'duet_replica_operations_total',
    help: 'Operations eligible for a replica, by the server that was used.',
    labelNames: ['server'],
    registers,
    async collect() {
      this.reset();
      const operations = (await use())?.operations;
      for (const server of ['replica', 'primary'] as const)
        if (operations) this.inc({ server }, operations[server]);
    },
  });
}

export interface GaugeSources {
  connections(): { open: number; idle: number; waiting: number };
  caches(): ReadonlyMap<string, CacheStats>;
  liveStreams(): number;
  queues(): Promise<QueueState[]>;
  /** Undefined when no replicas are configured. */
  replicas(): Promise<ReplicaRouterStatus | undefined>;
}

/** The queue counts are cached, so that several Prometheus servers or a short scrape interval do not add database load. */
const queueCacheMs = 5_000;

/** `max`: every worker reports the same numbers of the database. */
export function registerGauges(register: Registry, sources: GaugeSources): void {
  const gauge = (
    name: string,
    help: string,
    labels: readonly string[],
    collect: (target: Gauge) => unknown,
    aggregator: 'sum' | 'max' = 'sum',
  ) =>
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [register],
      aggregator,
      async collect() {
        await collect(this);
      },
    });
  const setEach = (values: Readonly<Record<string, number>>, label: string) => (target: Gauge) => {
    for (const [key, value] of Object.entries(values)) target.set({ [label]: key }, value);
  };
  const queues = cacheQueues(sources.queues);
  registerReplicaMetrics(register, sources.replicas);

  gauge(
    'duet_database_connections',
    'Connections of the pool by state; waiting: callers waiting for a connection.',
    ['state'],
    (target) => setEach(sources.connections(), 'state')(target),
  );
  gauge('duet_cache_entries', 'Number of entries of each bounded cache.', ['cache'], (target) => {
    for (const [cache, { entries }] of sources.caches()) target.set({ cache }, entries);
  });
  gauge('duet_cache_bytes', 'Estimated size of caches that are bounded by bytes.', ['cache'], (target) => {
    for (const [cache, { bytes }] of sources.caches()) if (bytes !== undefined) target.set({ cache }, bytes);
  });
  new Counter({
    name: 'duet_cache_lookups_total',
    help: 'Lookups of each cache by outcome (hit, miss).',
    labelNames: ['cache', 'outcome'],
    registers: [register],
    collect() {
      this.reset();
      for (const [cache, { hits, misses }] of sources.caches()) {
        this.inc({ cache, outcome: 'hit' }, hits);
        this.inc({ cache, outcome: 'miss' }, misses);
      }
    },
  });
  gauge('duet_live_streams', 'Open GraphQL subscriptions of this process.', [], (target) =>
    target.set(sources.liveStreams()),
  );
  gauge(
    'duet_jobs',
    'Jobs of all processes by queue and state.',
    ['queue', 'state'],
    async (target) => {
      for (const { queue, waiting, running, failed } of await queues()) {
        target.set({ queue, state: 'waiting' }, waiting);
        target.set({ queue, state: 'running' }, running);
        target.set({ queue, state: 'failed' }, failed);
      }
    },
    'max',
  );
  gauge(
    'duet_job_oldest_seconds',
    'Age in seconds of the oldest due job of each queue.',
    ['queue'],
    async (target) => {
      for (const { queue, oldestSeconds } of await queues()) target.set({ queue }, oldestSeconds);
    },
    'max',
  );
}

/** An error yields no queues, so that the other metrics are still available without the database. */
function cacheQueues(readQueues: () => Promise<QueueState[]>): () => Promise<QueueState[]> {
  let readAt = Number.NEGATIVE_INFINITY;
  let cached: Promise<QueueState[]> = Promise.resolve([]);
  return () => {
    if (performance.now() - readAt > queueCacheMs) {
      readAt = performance.now();
      cached = readQueues().catch(() => []);
    }
    return cached;
  };
}
