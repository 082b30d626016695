/** Runs what is waiting. A job that fails waits again, as it would with workers. */
import type { TestApp } from '../support/test-app.ts';

const mostFailures = 30;

export async function settle({ t }: { t: TestApp }): Promise<void> {
  for (let failures = 0; failures < mostFailures; failures += 1) {
    try {
      await t.app.drainJobs();
      return;
    } catch {
      // Not now: the next step that works finds it again.
      await t.db.sql(
        `update pgboss.job set state = 'retry', start_after = now() + interval '1 hour' where state = 'active'`,
      );
    }
  }
}

/** Everything that waits is done, whatever it waits for. */
export async function settleAll(world: { t: TestApp }): Promise<void> {
  const due = `update pgboss.job set start_after = now() where state < 'active'`;
  for (let round = 0; round < 5; round += 1) {
    const moved = await world.t.db.sql(`${due} returning 1`);
    if (moved.length === 0) return;
    await settle(world);
  }
}
