/** Retries statements that pg-boss sends only once, while the database is unavailable: job completion and start-up. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { classifyDbError } from '../../db/classify-db-errors.ts';

const retryDelayMs = 500;
/** Result that pg-boss reads as "no job updated". */
const noJobsUpdated = [{ count: 0 }];

interface JobCompletionRetry {
  /** Retries a completion statement until it succeeds or the process stops. A job whose completion is never written runs again after its timeout. */
  retryCompletion(execute: () => Promise<unknown[]>): Promise<unknown[]>;
  /** Retries a start-up statement, so that a gateway that already serves requests does not exit during a short database outage. */
  retryStartup(execute: () => Promise<unknown[]>): Promise<unknown[]>;
  /** Ends all retries. */
  stop(): void;
}

export function createJobCompletionRetry(log: Logger): JobCompletionRetry {
  const stopController = new AbortController();
  async function retry(execute: () => Promise<unknown[]>, message: string): Promise<unknown[]> {
    for (let isLogged = false; ; isLogged = true) {
      try {
        return await execute();
      } catch (error) {
        const kind = classifyDbError(error)?.kind;
        const isTransient = kind === 'unavailable' || kind === 'timeout';
        if (!isLogged) log.warn({ err: error }, message);
        if (!isTransient || stopController.signal.aborted) throw error;
        await sleep(retryDelayMs, undefined, { signal: stopController.signal, ref: false }).catch(() => {});
      }
    }
  }
  return {
    retryCompletion: (execute) =>
      retry(execute, 'job finished, but its completion could not be written: retrying').catch(
        () => noJobsUpdated,
      ),
    retryStartup: (execute) => retry(execute, 'job workers cannot start: waiting for the database'),
    stop: () => stopController.abort(),
  };
}
