/** Prometheus metrics. Imported only when metrics or the admin pages are enabled. */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Metrics, RequestTotals } from '../../ports/metrics.ts';
import { shareMetricsWithPrimary } from './cluster-metrics.ts';
import { type GaugeSources, registerGauges } from './gauges.ts';

export interface Prometheus {
  readonly metrics: Metrics;
  readonly contentType: string;
  /** Registers the gauges that are read at scrape time. */
  registerGaugeSources(sources: GaugeSources): void;
  text(): Promise<string>;
  /** Totals of all request series since the process started. */
  requestTotals(): Promise<RequestTotals[]>;
}

const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const waitBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];
const callBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60];

export function createPrometheus(isWorker = false): Prometheus {
  const register = new Registry();
  if (isWorker) shareMetricsWithPrimary(register);
  const registers = [register];
  collectDefaultMetrics({ register });
  const requests = new Histogram({
    name: 'duet_request_duration_seconds',
    help: 'Requests by protocol, REST route or registered operation, and outcome.',
    labelNames: ['protocol', 'operation', 'outcome'],
    buckets: requestBuckets,
    registers,
  });
  const calls = new Histogram({
    name: 'duet_port_call_duration_seconds',
    help: 'Calls to external services: mail, payments, sign-in, webhooks, text messages, language models, media.',
    labelNames: ['port', 'call', 'outcome'],
    buckets: callBuckets,
    registers,
  });
  const jobs = new Histogram({
    name: 'duet_job_duration_seconds',
    help: 'Jobs that this process ran, by queue and outcome.',
    labelNames: ['queue', 'outcome'],
    buckets: callBuckets,
    registers,
  });
  const rejections = new Counter({
    name: 'duet_rejected_requests_total',
    help: 'Requests rejected before they started: the budget was spent, or the process was overloaded.',
    labelNames: ['reason'],
    registers,
  });
  const deletedRows = new Counter({
    name: 'duet_retention_rows_total',
    help: 'Rows deleted by the retention job of this process.',
    labelNames: ['table'],
    registers,
  });
  const poolWaits = new Histogram({
    name: 'duet_database_wait_seconds',
    help: 'Time that statements and transactions waited for a connection of the pool.',
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

  // PERF: series are cached by one string key, which is cheaper than hashing the label object for every request.
  const seriesByKey = new Map<string, { observe(seconds: number): void }>();
  return {
    contentType: register.contentType,
    metrics: {
      request(protocol, operation, outcome, seconds) {
        const key = `${protocol}\0${operation}\0${outcome}`;
        let series = seriesByKey.get(key);
        if (!series) {
          series = requests.labels(protocol, operation, outcome);
          seriesByKey.set(key, series);
        }
        series.observe(seconds);
      },
      statement() {
        statements += 1;
      },
      poolWait: (seconds) => poolWaits.observe(seconds),
      call: (port, call, outcome, seconds) => calls.observe({ port, call, outcome }, seconds),
      job: (queue, outcome, seconds) => jobs.observe({ queue, outcome }, seconds),
      requestRejected: (reason) => rejections.inc({ reason }),
      rowsDeleted: (table, rows) => deletedRows.inc({ table }, rows),
    },
    registerGaugeSources: (sources) => registerGauges(register, sources),
    text: () => register.metrics(),
    async requestTotals() {
      const totals = new Map<string, RequestTotals>();
      for (const { labels, value, metricName } of (await requests.get()).values) {
        const { protocol = '', operation = '', outcome = '', le } = labels as Record<string, string | number>;
        const key = `${protocol}\0${operation}\0${outcome}`;
        const series = totals.get(key) ?? totalsOf(String(protocol), String(operation), String(outcome));
        totals.set(key, series);
        if (metricName?.endsWith('_count')) series.count = value;
        else if (metricName?.endsWith('_sum')) series.seconds = value;
        else if (typeof le === 'number') series.within.push([le, value]);
      }
      return [...totals.values()];
    },
  };
}

const totalsOf = (protocol: string, operation: string, outcome: string): RequestTotals => ({
  protocol,
  operation,
  outcome,
  count: 0,
  seconds: 0,
  within: [],
});
