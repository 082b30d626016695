/** Metrics of the read replicas: lag, use and reads, read at scrape time. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ReplicaRouterStatus } from '../../db/handles.ts';

export function registerReplicaMetrics(
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
