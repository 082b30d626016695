/** What is kept how long: each domain says what of its tables grows old, and one job walks them all. */
import type { Services } from './context.ts';
import { sweeper } from './db/author.ts';
import { type Sweep, sweep } from './db/sweep.ts';
import { haveOrders } from './domains/orders/buyers.ts';
import { sweeps as outbox } from './domains/shared/outbox.ts';
import { sweepGuests } from './domains/users/retention.ts';
import { sweeps as ofDomains } from './generated/domains/sweeps.ts';
import { sweeps as idempotency } from './idempotency.ts';
import { now } from './lib/time.ts';
import { defineJob, noData } from './ports/jobs.ts';

export const sweeps: readonly Sweep[] = [...idempotency, ...outbox, ...ofDomains];

export const retentionJob = defineJob(
  'retention',
  noData,
  async ({ db, config, log, metrics }: Pick<Services, 'db' | 'config' | 'log' | 'metrics'>) => {
    const { retention } = config;
    const swept: Record<string, number> = {};
    const sweeping = db.on({ author: sweeper });
    for (const one of sweeps) {
      const gone = await sweep(sweeping, one, now() - retention[one.kept]);
      metrics.swept(one.table, gone);
      if (gone > 0) swept[one.table] = gone;
    }
    const guests = await sweepGuests(db, now() - retention.guests, haveOrders);
    metrics.swept('users', guests);
    if (guests > 0) swept.users = guests;
    if (Object.keys(swept).length > 0) log.info({ swept }, 'old records are gone');
  },
  { cron: '23 * * * *', retries: 0, timeout: 3000 },
);
