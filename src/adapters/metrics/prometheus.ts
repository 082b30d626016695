/** Counts for Prometheus. Loaded only when metrics are on. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Metrics, RequestTotals } from '../../ports/metrics.ts';
import { type GaugeSources, registerGauges } from './gauges.ts';

export interface Prometheus {
  readonly metrics: Metrics;
  readonly contentType: string;
  /** What is asked for at the moment somebody looks. */
  registerGaugeSources(sources: GaugeSources): void;
  text(): Promise<string>;
  /** Every series of requests since the process began. */
  requestTotals(): Promise<RequestTotals[]>;
}

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const waitBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const callBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

export function createPrometheus(): Prometheus {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: 'duet_request_duration_seconds',
    help: 'Requests by voice, REST row or registered operation, and how they ended.',
    labelNames: ['voice', 'operation', 'outcome'],
    buckets: requestBuckets,
    registers,
  });
  const calls = new Histogram({
    name: 'duet_port_call_duration_seconds',
    help: 'Calls of parts outside of the process: mail, payments, sign-in, webhooks, text messages, models.',
    labelNames: ['port', 'call', 'outcome'],
    buckets: callBuckets,
    registers,
  });
  const jobs = new Histogram({
    name: 'duet_job_duration_seconds',
    help: 'Jobs that this process ran, by queue and how they ended.',
    labelNames: ['queue', 'outcome'],
    buckets: callBuckets,
    registers,
  });
  const refusals = new Counter({
    name: 'duet_refused_requests_total',
    help: 'Requests sent away before they began: their budget was spent, or the process had too much to do.',
    labelNames: ['reason'],
    registers,
  });
  const sweeps = new Counter({
    name: 'duet_retention_rows_total',
    help: 'Rows that this process has thrown away since they were kept long enough.',
    labelNames: ['table'],
    registers,
  });
  const waits = new Histogram({
    name: 'duet_database_wait_seconds',
    help: 'How long statements and transactions waited for a connection of the pool.',
    buckets: waitBuckets,
    registers,
  });
  let statements = 0;
  new Counter({
    name: 'duet_statements_total',
    help: 'SQL statements sent to the database.',
    registers,
    collect() {
      this.reset();
      this.inc(statements);
    },
  });

  // The labels of a request are looked up by one string: cheaper than having them hashed every time.
  const known = new Map<string, { observe(seconds: number): void }>();
  return {
    contentType: register.contentType,
    metrics: {
      request(voice, operation, outcome, seconds) {
        const key = `${voice}\0${operation}\0${outcome}`;
        let series = known.get(key);
        if (!series) {
          series = requests.labels(voice, operation, outcome);
          known.set(key, series);
        }
        series.observe(seconds);
      },
      statement() {
        statements += 1;
      },
      poolWait: (seconds) => waits.observe(seconds),
      call: (port, call, outcome, seconds) => calls.observe({ port, call, outcome }, seconds),
      job: (queue, outcome, seconds) => jobs.observe({ queue, outcome }, seconds),
      requestRejected: (reason) => refusals.inc({ reason }),
      rowsDeleted: (table, rows) => sweeps.inc({ table }, rows),
    },
    registerGaugeSources: (sources) => registerGauges(register, sources),
    text: () => register.metrics(),
    async requestTotals() {
      const totals = new Map<string, RequestTotals>();
      for (const { labels, value, metricName } of (await requests.get()).values) {
        const { voice = '', operation = '', outcome = '', le } = labels as Record<string, string | number>;
        const key = `${voice}\0${operation}\0${outcome}`;
        const series = totals.get(key) ?? totalsOf(String(voice), String(operation), String(outcome));
        totals.set(key, series);
        if (metricName?.endsWith('_count')) series.count = value;
        else if (metricName?.endsWith('_sum')) series.seconds = value;
        else if (typeof le === 'number') series.within.push([le, value]);
      }
      return [...totals.values()];
    },
  };
}

const totalsOf = (voice: string, operation: string, outcome: string): RequestTotals => ({
  voice,
  operation,
  outcome,
  count: 0,
  seconds: 0,
  within: [],
});
