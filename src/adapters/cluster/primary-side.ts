/** Primary side of the channel to the workers: answers their calls. */
import cluster, { type Worker } from 'node:cluster';
import type { CallsToPrimary } from '../../ports/primary-process-client.ts';
import { createMemoryRateLimiter } from '../limits/in-process-rate-limits.ts';
import { createBudgetUsageCounter } from '../limits/in-process-request-budgets.ts';
import type { CallToPrimaryMessage, MessageToWorker } from './message-types.ts';

/** Rate limits and budgets counted in the memory of the primary. */
export function createPrimaryCallHandlers(metrics: CallsToPrimary['metrics']): CallsToPrimary {
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

export function answerWorkerCalls(calls: CallsToPrimary): void {
  cluster.on('message', (worker, message: CallToPrimaryMessage) => {
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
export function sendToWorker(worker: Worker, message: MessageToWorker): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
