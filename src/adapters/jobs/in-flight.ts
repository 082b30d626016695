/** The jobs this process has at hand and the statements about them: what a stop waits for, and what it gives back. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Queries } from '../../db/handles.ts';

export interface InFlightJobs {
  /** Remembers the jobs until their work has ended. */
  trackJobs<T>(ids: readonly string[], work: Promise<T>): Promise<T>;
  /** Remembers a statement until it has been answered. */
  trackStatement<T>(answer: Promise<T>): Promise<T>;
  /** Waits for all of it, but no longer than `ms`; returns the jobs that are still at work. */
  waitUntilIdle(ms: number): Promise<string[]>;
}

export function createInFlightJobs(): InFlightJobs {
  const jobs = new Set<string>();
  const statements = new Set<Promise<unknown>>();
  let wake = () => {};

  async function quiet(): Promise<void> {
    for (;;) {
      // An answer may be a job, which begins a moment after the answer came.
      await setImmediate();
      if (jobs.size + statements.size === 0) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    async trackJobs(ids, work) {
      for (const id of ids) jobs.add(id);
      try {
        return await work;
      } finally {
        for (const id of ids) jobs.delete(id);
        wake();
      }
    },
    async trackStatement(answer) {
      statements.add(answer);
      try {
        return await answer;
      } finally {
        statements.delete(answer);
        wake();
      }
    },
    async waitUntilIdle(ms) {
      const timeout = new AbortController();
      await Promise.race([quiet(), sleep(ms, undefined, { signal: timeout.signal })]);
      timeout.abort();
      return [...jobs];
    },
  };
}

/** For another process to do again, at once; being interrupted does not count as a try. */
export async function requeueJobs(queries: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await queries.sql(
    `update pgboss.job set state = 'retry', started_on = null, start_after = now() where id = any($1::uuid[]) and state = 'active'`,
    [ids],
  );
}
