/** Primary process of `duet start --workers`: starts the workers, replaces those that exit, and restarts them one by one on SIGHUP. */
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  answerWorkerCalls,
  createPrimaryCallHandlers,
  sendToWorker,
} from '../adapters/cluster/primary-side.ts';
import type { Config } from '../config.ts';
import { createMetricsServer } from '../http/metrics-endpoint.ts';
import { packageVersion } from '../lib/package-info.ts';
import type { Logger } from '../log.ts';
import { listenOnPort } from './listen-on-port.ts';
import { formatStartupBanner } from './startup-banner.ts';

/** A worker that has not exited by then is killed. It is more than the worker itself needs at most. */
const killAfterMs = 11_000;
/** Delay before a crashed worker is replaced: doubled with each crash in a row, up to the maximum. */
const minRestartDelayMs = 100;
const maxRestartDelayMs = 30_000;
/** A worker that has run for this long counts as healthy again. */
const healthyAfterMs = 60_000;

/** Resolves when all workers listen. Rejects with the exit code when the first one cannot start, which has printed the reason. */
export async function runWorkers(config: Config, log: Logger): Promise<void> {
  const count = config.workers;
  const listening = new Set<Worker>();
  const replaced = new WeakSet<Worker>();
  let stopping = false;
  let crashesInRow = 0;

  const metrics = config.metrics || config.adminToken ? await createClusterMetrics() : undefined;
  answerWorkerCalls(createPrimaryCallHandlers(metrics?.text ?? (async () => '')));

  function sendCounts(): void {
    const counts = { running: listening.size, configured: count };
    for (const worker of listening) sendToWorker(worker, { type: 'duet:counts', counts });
  }

  /** Resolves to undefined when the worker exits before it listens. */
  function startWorker(): Promise<Worker | undefined> {
    const worker = cluster.fork();
    const startedAt = performance.now();
    return new Promise((resolve) => {
      worker.once('listening', () => {
        listening.add(worker);
        sendCounts();
        resolve(worker);
      });
      worker.once('exit', (code, signal) => {
        const wasListening = listening.delete(worker);
        sendCounts();
        resolve(undefined);
        if (stopping || replaced.has(worker) || !wasListening) return;
        if (performance.now() - startedAt > healthyAfterMs) crashesInRow = 0;
        log.error({ worker: worker.process.pid, code, signal }, 'a worker has exited and is replaced');
        void replaceCrashedWorker();
      });
    });
  }

  async function replaceCrashedWorker(): Promise<void> {
    do {
      await sleep(Math.min(maxRestartDelayMs, minRestartDelayMs * 2 ** crashesInRow));
      crashesInRow += 1;
    } while (!stopping && !(await startWorker()));
  }

  let restart = Promise.resolve();
  async function restartAll(): Promise<void> {
    log.info('restarting the workers one by one');
    for (const old of [...listening]) {
      if (stopping) return;
      if (!(await startWorker())) {
        if (!stopping) log.error('the new worker did not start: the other workers stay');
        return;
      }
      replaced.add(old);
      await stopWorker(old, () => sendToWorker(old, { type: 'duet:replaced' }));
    }
    log.info('all workers have been restarted');
  }

  function stop(signal: NodeJS.Signals): void {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping the workers');
    metrics?.server?.close();
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    void Promise.all(running.map((worker) => stopWorker(worker, () => worker.process.kill(signal)))).then(
      () => process.exit(0),
    );
  }
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // In a terminal SIGHUP means that the terminal was closed.
  if (!process.stdout.isTTY)
    process.on('SIGHUP', () => {
      restart = restart.then(restartAll);
    });

  // The first one applies migrations and reports errors of the configuration; the others follow when it listens.
  const first = await startWorker();
  if (!first && !stopping) process.exit(1);
  await Promise.all(
    Array.from({ length: count - 1 }, async () => (await startWorker()) ?? replaceCrashedWorker()),
  );
  if (process.stdout.isTTY || !config.production) console.log(formatStartupBanner(config));
  log.info({ port: config.port, workers: count, version: packageVersion }, 'all workers listen');

  async function createClusterMetrics() {
    const { createClusterMetricsSource } = await import('../adapters/metrics/cluster-metrics.ts');
    const source = createClusterMetricsSource();
    const { port, token } = config.metrics ?? {};
    const server = port === undefined ? undefined : createMetricsServer(source, token);
    if (server) await listenOnPort(server, { port: port ?? 0, host: config.host }, 'METRICS_PORT');
    return { text: () => source.text(), server };
  }
}

function stopWorker(worker: Worker, requestStop: () => unknown): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), killAfterMs);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    requestStop();
  });
}
