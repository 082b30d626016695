/** What pg-boss asks only once is asked until there is an answer, even if the database is away just then. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { classifyDbError } from '../../db/errors.ts';

const againMs = 500;
/** What pg-boss reads from the answer: nothing was written. */
const nothing = [{ count: 0 }];

export interface CompletionRetry {
  /** How jobs ended, until that is written, or the process stops. What is never written is begun again when its time is over. */
  retryCompletion(ask: () => Promise<unknown[]>): Promise<unknown[]>;
  /** What the start needs: a gateway that has begun to answer does not end because the database is away for a moment. */
  retryStartup(ask: () => Promise<unknown[]>): Promise<unknown[]>;
  /** From now on nobody waits for a database that is away. */
  stop(): void;
}

/** Whether the statement says how jobs ended: done, or failed. */
export const isJobCompletionStatement = (text: string): boolean =>
  text.includes('UNNEST($2::uuid[])') && text.includes('$3::jsonb');

export function createCompletionRetry(log: Logger): CompletionRetry {
  const stopping = new AbortController();
  async function again(ask: () => Promise<unknown[]>, what: string): Promise<unknown[]> {
    for (let told = false; ; told = true) {
      try {
        return await ask();
      } catch (error) {
        const kind = classifyDbError(error)?.kind;
        const passes = kind === 'unavailable' || kind === 'timeout';
        if (!told) log.warn({ err: error }, what);
        if (!passes || stopping.signal.aborted) throw error;
        await sleep(againMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      }
    }
  }
  return {
    retryCompletion: (ask) =>
      again(ask, 'a job has ended, and the database could not be told').catch(() => nothing),
    retryStartup: (ask) => again(ask, 'jobs begin when the database answers'),
    stop: () => stopping.abort(),
  };
}
