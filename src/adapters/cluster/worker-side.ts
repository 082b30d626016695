/** Worker side of the channel to the primary process. */
import type { PrimaryProcessClient, WorkerCounts } from '../../ports/primary-process-client.ts';
import type { CallToPrimaryMessage, CallToPrimaryName, MessageToWorker } from './message-types.ts';

interface PendingCall {
  resolve(result: never): void;
  reject(error: Error): void;
}

export function connectToPrimary(workers: number): PrimaryProcessClient {
  const pending = new Map<number, PendingCall>();
  const replacedListeners: (() => void)[] = [];
  let counts: WorkerCounts = { running: workers, configured: workers };
  let lastId = 0;

  process.on('message', (message: MessageToWorker) => {
    if (message.type === 'duet:counts') counts = message.counts;
    if (message.type === 'duet:replaced') for (const listener of replacedListeners) listener();
    if (message.type !== 'duet:result') return;
    const call = pending.get(message.id);
    pending.delete(message.id);
    if (message.error === undefined) call?.resolve(message.result as never);
    else call?.reject(new Error(message.error));
  });
  // The primary restarts workers on SIGHUP. A terminal or service manager may send it to the whole process group.
  process.on('SIGHUP', () => {});

  const call = <Result>(name: CallToPrimaryName, ...args: unknown[]): Promise<Result> =>
    new Promise((resolve, reject) => {
      lastId += 1;
      const message: CallToPrimaryMessage = { type: 'duet:call', id: lastId, name, args };
      pending.set(message.id, { resolve, reject });
      process.send?.(message, undefined, undefined, (error) => {
        if (!error) return;
        pending.delete(message.id);
        reject(error);
      });
    });
  return {
    consume: (rule, key) => call('consume', rule, key),
    release: (rule, key) => call('release', rule, key),
    addUsage: (batch) => call('addUsage', batch),
    metrics: () => call('metrics'),
    counts: () => counts,
    onReplaced: (listener) => void replacedListeners.push(listener),
  };
}
