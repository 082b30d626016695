/** `duet start`: validates the configuration before it imports the rest of the gateway. */
import { assertValidSigningKeyConfig } from '../auth/signing-keys.ts';
import { readConfig } from '../config.ts';
import type { Db } from '../db/handles.ts';
import { setSpanCollector, traceLogFields } from '../lib/tracing.ts';
import { createLogger } from '../log.ts';
import type { LocalCommand } from './command-types.ts';
import { openDatabase } from './open-database.ts';

export const startCommand: LocalCommand = async (env) => {
  const config = readConfig(env);
  if (config.signingKey !== undefined) await assertValidSigningKeyConfig(config.signingKey);
  const log = createLogger(config.logLevel, process.stdout.isTTY, config.traces && traceLogFields);
  // A rejection in one request must not end the process.
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled promise rejection'));
  const traces = config.traces
    ? (await import('../adapters/traces/otlp.ts')).createOtlpTraces({
        ...config.traces,
        onError: (error) => log.warn({ err: error }, 'trace export failed: spans are dropped'),
      })
    : undefined;
  setSpanCollector(traces);
  const hasMetrics = config.metrics !== undefined || config.adminToken !== undefined;
  const prometheus = hasMetrics
    ? (await import('../adapters/metrics/prometheus.ts')).createPrometheus()
    : undefined;
  const observers = {
    onStatement: prometheus?.metrics.statement,
    onWait: prometheus?.metrics.poolWait,
    onError: (error: Error) => log.warn({ err: error }, 'database connection lost'),
    onCrash: (error: Error) => log.fatal({ err: error }, error.message),
    onSlowRead: (statement: string, ms: number) =>
      log.warn({ statement, ms: Math.round(ms) }, 'slow read on the connection for short reads'),
  };
  let db: Db | undefined;
  try {
    const opening = openDatabase(config, observers);
    // Imported in parallel: the WebAssembly of an embedded database is compiled on other threads.
    const [opened, { serveGateway: serve }] = await Promise.all([opening, import('./serve.ts')]);
    db = opened;
    await serve({ config, db, log, prometheus }, () => traces?.close());
  } catch (error) {
    await db?.close();
    throw error;
  }
};
