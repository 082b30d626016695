/** `duet start`: validates the configuration before it imports the rest of the gateway. */
import cluster from 'node:cluster';
import { assertValidSigningKeyConfig } from '../auth/gateway-keys.ts';
import { type Config, readConfig } from '../config.ts';
import type { Db } from '../db/handles.ts';
import { listMisspeltVariables } from '../find-misspelt-variables.ts';
import { OperatorError } from '../lib/operator-errors.ts';
import { buildTraceLogFields, setSpanCollector } from '../lib/tracing.ts';
import { createLogger } from '../log.ts';
import type { BusinessServer } from '../servers/server-dbs.ts';
import { type LocalCommand, UsageError } from './command-types-and-usage-error.ts';
import { openDatabase, openServers } from './open-and-migrate-databases.ts';
import { parseCommandArgs } from './parse-command-args.ts';
import { hasColours } from './terminal-output.ts';

export const startCommand: LocalCommand = async (env, args) => {
  const { workers } = parseCommandArgs(args, { workers: { type: 'string' } }).values;
  if (workers !== undefined && !/^(auto|[1-9]|[1-5]\d|6[0-4])$/.test(workers))
    throw new UsageError('--workers must be auto or a number from 1 to 64.');
  const config = readConfig(workers === undefined ? env : { ...env, WORKERS: workers });
  assertSupportsSeveralServers(config);
  if (config.signingKey !== undefined) await assertValidSigningKeyConfig(config.signingKey);
  const format = process.stdout.isTTY
    ? (await import('./terminal-log.ts')).createTerminalLogFormat(hasColours(process.stdout, env))
    : undefined;
  const log = createLogger(config.logLevel, format, config.traces && buildTraceLogFields);
  for (const line of listMisspeltVariables(env)) log.warn(line);
  // A rejection in one request must not end the process.
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled promise rejection'));
  const traces = config.traces
    ? (await import('../adapters/traces/otlp-exporter.ts')).createOtlpExporter({
        ...config.traces,
        onError: (error) => log.warn({ err: error }, 'trace export failed: spans are dropped'),
      })
    : undefined;
  setSpanCollector(traces);
  if (cluster.isPrimary && config.workers > 1)
    return (await import('./run-workers.ts')).runWorkers(config, log);
  const primary = cluster.isWorker
    ? (await import('../adapters/cluster/worker-side.ts')).connectToPrimary(config.workers)
    : undefined;
  const hasMetrics = config.metrics !== undefined || config.adminToken !== undefined;
  const prometheus = hasMetrics
    ? (await import('../adapters/metrics/prometheus.ts')).createPrometheus(cluster.isWorker)
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
  let servers: BusinessServer[] = [];
  const closeServers = () => Promise.all(servers.map((server) => server.db.close()));
  try {
    const opening = openDatabase(config, observers);
    // Imported in parallel: the WebAssembly of an embedded database is compiled on other threads.
    const [opened, { migrateAndServeGateway: serve }] = await Promise.all([
      opening,
      import('./migrate-and-serve.ts'),
    ]);
    db = opened;
    if (config.databaseShards.length > 0) servers = await openServers(config, db, observers);
    await serve({ config, db, servers, log, prometheus, primary }, async () => {
      await closeServers();
      await traces?.close();
    });
  } catch (error) {
    await closeServers();
    await db?.close();
    throw error;
  }
};

/** Parts of a gateway that would leave out the businesses of DATABASE_SHARDS. */
function assertSupportsSeveralServers(config: Config): void {
  if (config.databaseShards.length === 0) return;
  const unsupported: [boolean, string][] = [
    [config.usage, 'set USAGE=off'],
    [config.requestLog, 'set REQUEST_LOG=off'],
    [config.adminToken !== undefined, 'remove ADMIN_TOKEN'],
    [config.databaseReplicaUrls.length > 0, 'remove DATABASE_REPLICA_URLS'],
    [config.edgeCache.urls.length > 0, 'remove EDGE_CACHE_URLS'],
  ];
  const remedies = unsupported.flatMap(([isUsed, remedy]) => (isUsed ? [remedy] : []));
  if (remedies.length > 0)
    throw new OperatorError(
      `DATABASE_SHARDS: a gateway on several servers does not support all parts: ${remedies.join(', ')}.`,
    );
}
