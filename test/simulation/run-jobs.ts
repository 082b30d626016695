/** Runs what is waiting. A job that fails waits again, as it would with workers. */
import type { TestApp } from '../support/test-app.ts';

const mostFailures = 30;

/** Whether nothing failed. */
export async function runPendingJobs({ t }: { t: TestApp }, whenever = false): Promise<boolean> {
  for (let failures = 0; failures < mostFailures; failures += 1) {
    try {
      // What has failed is for later.
      await t.app.drainJobs(whenever && failures === 0);
      return failures === 0;
    } catch {
      // Not now: the next step that works finds it again.
      await t.db.sql(
        `update pgboss.job set state = 'retry', start_after = now() + interval '1 hour' where state = 'active'`,
      );
    }
  }
  return false;
}

/** Everything that waits is done, whatever it waits for. */
export async function runAllJobs(world: { t: TestApp }): Promise<void> {
  for (let round = 0; round < 5; round += 1) if (await runPendingJobs(world, true)) return;
}
