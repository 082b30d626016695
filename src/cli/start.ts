/** `duet start`: what can be wrong with the configuration is found before the rest is loaded. */
import { assertSigningKey } from '../auth/signing-keys.ts';
import { readConfig } from '../config.ts';
import type { Db } from '../db/handles.ts';
import { setSpanCollector, traceLogFields } from '../lib/tracing.ts';
import { createLogger } from '../log.ts';
import type { LocalCommand } from './command.ts';
import { openDatabase } from './open-database.ts';

export const startCommand: LocalCommand = async (env) => {
  const config = readConfig(env);
  if (config.signingKey !== undefined) await assertSigningKey(config.signingKey);
  const log = createLogger(config.logLevel, process.stdout.isTTY, config.traces && traceLogFields);
  // One request must not end the process for all others.
  process.on('unhandledRejection', (err) => log.error({ err }, 'a failure that nobody waited for'));
  const traces = config.traces
    ? (await import('../adapters/traces/otlp.ts')).createOtlpTraces({
        ...config.traces,
        onError: (error) => log.warn({ err: error }, 'traces are lost'),
      })
    : undefined;
  setSpanCollector(traces);
  const counts = config.metrics !== undefined || config.adminToken !== undefined;
  const prometheus = counts
    ? (await import('../adapters/metrics/prometheus.ts')).createPrometheus()
    : undefined;
  const observers = {
    onStatement: prometheus?.metrics.statement,
    onWait: prometheus?.metrics.poolWait,
    onError: (error: Error) => log.warn({ err: error }, 'database connection lost'),
    onLongRead: (statement: string, ms: number) =>
      log.warn({ statement, ms: Math.round(ms) }, 'a short read took long'),
  };
  let db: Db | undefined;
  try {
    const opening = openDatabase(config, observers);
    // Loaded meanwhile: an embedded database is compiled by other threads first.
    const [opened, { serve }] = await Promise.all([opening, import('./serve.ts')]);
    db = opened;
    await serve({ config, db, log, prometheus }, () => traces?.close());
  } catch (error) {
    await db?.close();
    throw error;
  }
};
