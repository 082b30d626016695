/** Primary side of the channel to the workers: answers their calls. */
import cluster, { type Worker } from 'node:cluster';
import type { PrimaryCalls } from '../../ports/primary-process.ts';
import { createMemoryRateLimiter } from '../limits/in-process-rate-limits.ts';
import { createBudgetUsageCounter } from '../limits/in-process-request-budgets.ts';
import type { PrimaryCallMessage, PrimaryMessage } from './messages.ts';

/** Rate limits and budgets counted in the memory of the primary. */
export function createPrimaryCalls(metrics: PrimaryCalls['metrics']): PrimaryCalls {
  const limits = createMemoryRateLimiter();
  const usage = createBudgetUsageCounter();
  return {
    consume: limits.consume,
    release: limits.release,
    addUsage: async (batch) =>
      batch.map(([key, units]) => {
        const { used, ms } = usage.add(key, units);
        return [used, ms];
      }),
    metrics,
  };
}

export function answerWorkers(calls: PrimaryCalls): void {
  cluster.on('message', (worker, message: PrimaryCallMessage) => {
    if (message.type !== 'duet:call') return;
    const { id, name, args } = message;
    const run = calls[name] as (...args: unknown[]) => Promise<unknown>;
    run(...args).then(
      (result) => sendToWorker(worker, { type: 'duet:result', id, result }),
      (error: unknown) => sendToWorker(worker, { type: 'duet:result', id, error: String(error) }),
    );
  });
}

/** Ignores a worker that has exited meanwhile. */
export function sendToWorker(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
