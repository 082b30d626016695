/** Runs pending background jobs. A failed job is scheduled for a retry, as with real workers. */
import type { TestApp } from '../support/test-app.ts';

const maxFailures = 30;

/** Runs due jobs, or all if `whenever`; returns whether none failed. */
export async function runPendingJobs({ t }: { t: TestApp }, includeScheduled = false): Promise<boolean> {
  for (let failures = 0; failures < maxFailures; failures += 1) {
    try {
      // After a failure, runs due jobs only, so that the failed job is not retried.
      await t.app.drainJobs(includeScheduled && failures === 0);
      return failures === 0;
    } catch {
      // Retries the failed job an hour later, or in the next step that runs all jobs.
      await t.db.write(
        `update pgboss.job set state = 'retry', start_after = now() + interval '1 hour' where state = 'active'`,
      );
    }
  }
  return false;
}

/** Runs all jobs, including those scheduled for later, in at most five rounds. */
export async function runAllJobs(world: { t: TestApp }): Promise<void> {
  for (let round = 0; round < 5; round += 1) if (await runPendingJobs(world, true)) return;
}
