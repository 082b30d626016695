/** Tracks the running jobs and job statements of this process: a shutdown waits for them. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

interface InFlightJobs {
  /** Tracks the jobs until their work has settled. */
  trackJobs<T>(ids: readonly string[], work: Promise<T>): Promise<T>;
  /** Tracks a statement until its result has arrived. */
  trackStatement<T>(result: Promise<T>): Promise<T>;
  /** Waits until nothing is in flight, at most `ms` milliseconds; returns the ids of jobs that are still running. */
  waitUntilIdle(ms: number): Promise<string[]>;
}

export function createInFlightJobs(): InFlightJobs {
  const jobs = new Set<string>();
  const statements = new Set<Promise<unknown>>();
  let wake = () => {};

  async function idle(): Promise<void> {
    for (;;) {
      // The result of a fetch statement may be a job, which starts one tick later.
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
    async trackStatement(result) {
      statements.add(result);
      try {
        return await result;
      } finally {
        statements.delete(result);
        wake();
      }
    },
    async waitUntilIdle(ms) {
      const timeout = new AbortController();
      await Promise.race([idle(), sleep(ms, undefined, { signal: timeout.signal })]);
      timeout.abort();
      return [...jobs];
    },
  };
}
