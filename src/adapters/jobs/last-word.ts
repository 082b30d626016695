/** How a job ended is written down in the end, even if the database is away just then. pg-boss does not look after it any more. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { describeDbError } from '../../db/errors.ts';

const againMs = 500;
/** What pg-boss reads from the answer: nothing was written. */
const nothing = [{ count: 0 }];

export interface LastWord {
  /** Asks until there is an answer, or the process stops. What is never written is begun again when its time is over. */
  insist(ask: () => Promise<unknown[]>): Promise<unknown[]>;
  /** From now on nobody waits for a database that is away. */
  stop(): void;
}

/** Whether the statement says how jobs ended: done, or failed. */
export const endsJobs = (text: string): boolean =>
  text.includes('UNNEST($2::uuid[])') && text.includes('$3::jsonb');

export function createLastWord(log: Logger): LastWord {
  const stopping = new AbortController();
  return {
    async insist(ask) {
      for (let told = false; ; told = true) {
        try {
          return await ask();
        } catch (error) {
          const kind = describeDbError(error)?.kind;
          const passes = kind === 'unavailable' || kind === 'timeout';
          if (!told) log.warn({ err: error }, 'a job has ended, and the database could not be told');
          if (!passes || stopping.signal.aborted) return nothing;
          await sleep(againMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
        }
      }
    },
    stop: () => stopping.abort(),
  };
}
