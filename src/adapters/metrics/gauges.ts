/** What is true at the moment somebody looks: connections, caches, queues, live streams. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { CacheStats } from '../../lib/cache/cache-registry.ts';
import type { QueueState } from '../../ports/jobs.ts';
import { type ReplicasUse, registerReplicaMetrics } from './replica-metrics.ts';

export interface GaugeSources {
  connections(): { open: number; idle: number; waiting: number };
  caches(): ReadonlyMap<string, CacheStats>;
  liveStreams(): number;
  queues(): Promise<QueueState[]>;
  /** Undefined without replicas. */
  replicas(): Promise<ReplicasUse | undefined>;
}

/** Several servers of Prometheus, or an impatient one, do not make the database count its jobs more often. */
const queuesKeptMs = 5_000;

export function registerGauges(register: Registry, sources: GaugeSources): void {
  const gauge = (name: string, help: string, labels: readonly string[], collect: (to: Gauge) => unknown) =>
    new Gauge({
      name,
      help,
      labelNames: labels,
      registers: [register],
      async collect() {
        await collect(this);
      },
    });
  const each = (values: Readonly<Record<string, number>>, label: string) => (to: Gauge) => {
    for (const [key, value] of Object.entries(values)) to.set({ [label]: key }, value);
  };
  const queues = remembered(sources.queues);
  registerReplicaMetrics(register, sources.replicas);

  gauge(
    'duet_database_connections',
    'Connections of the pool by state; waiting: requests for one.',
    ['state'],
    (to) => each(sources.connections(), 'state')(to),
  );
  gauge('duet_cache_entries', 'What each bounded cache holds.', ['cache'], (to) => {
    for (const [cache, { entries }] of sources.caches()) to.set({ cache }, entries);
  });
  gauge('duet_cache_bytes', 'The room of caches that are bounded by it, estimated.', ['cache'], (to) => {
    for (const [cache, { bytes }] of sources.caches()) if (bytes !== undefined) to.set({ cache }, bytes);
  });
  new Counter({
    name: 'duet_cache_lookups_total',
    help: 'How often each cache was asked, and whether it knew.',
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
  gauge('duet_live_streams', 'Open subscriptions of this process.', [], (to) =>
    to.set(sources.liveStreams()),
  );
  gauge('duet_jobs', 'Jobs of all processes by queue and state.', ['queue', 'state'], async (to) => {
    for (const { queue, waiting, running, failed } of await queues()) {
      to.set({ queue, state: 'waiting' }, waiting);
      to.set({ queue, state: 'running' }, running);
      to.set({ queue, state: 'failed' }, failed);
    }
  });
  gauge(
    'duet_job_oldest_seconds',
    'How long the job that is due longest has waited.',
    ['queue'],
    async (to) => {
      for (const { queue, oldestSeconds } of await queues()) to.set({ queue }, oldestSeconds);
    },
  );
}

/** While the database does not answer, the rest is still worth reading. */
function remembered(ask: () => Promise<QueueState[]>): () => Promise<QueueState[]> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<QueueState[]> = Promise.resolve([]);
  return () => {
    if (performance.now() - askedAt > queuesKeptMs) {
      askedAt = performance.now();
      answer = ask().catch(() => []);
    }
    return answer;
  };
}
