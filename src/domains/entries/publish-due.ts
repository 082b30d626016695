/** Publishes and unpublishes what is due. The version of each entry decides: what somebody changes meanwhile is looked at anew. */
import { z } from 'zod';
import type { Services } from '../../context.ts';
import type { Row } from '../../db/table.ts';
import { now } from '../../lib/time.ts';
import { defineJob } from '../../ports/jobs.ts';
import { systemStamp } from '../shared/history.ts';
import { entries } from './model.ts';
import { saveIfUnchanged } from './save-entry.ts';
import { afterDue } from './schedule.ts';

const batch = 100;

const due = `least(e.publish_at, e.unpublish_at)`;
const dueStatement = `select ${entries.columns} from ${entries.from} where ${due} <= $1 order by ${due} limit ${batch}`;

type Needed = Pick<Services, 'db' | 'jobs' | 'log'>;

/** Returns how many entries this call changed. Another process may do the same: one of them changes each entry. */
export async function publishDue(services: Needed, time = now()): Promise<number> {
  let total = 0;
  for (;;) {
    const rows = await services.db.sql<Row>(dueStatement, [time]);
    let changed = 0;
    for (const row of rows) {
      const entry = entries.read(row);
      const next = { ...afterDue(entry, time, systemStamp), version: entry.version + 1, updatedAt: now() };
      if (await saveIfUnchanged(services, services.db, next)) changed += 1;
    }
    total += changed;
    // What others have taken is theirs; what nobody could change waits for the next run.
    if (rows.length < batch || changed === 0) return total;
  }
}

/** One for each planned moment, and one a minute for what a dead process or a lost job left behind. */
export const publishDueJob = defineJob(
  'publish-due',
  z.object({ at: z.number().optional() }),
  async (services: Needed, { at = 0 }: { at?: number | undefined }) => {
    // The clock of the database has said that it is time, even if ours is a little slow.
    const changed = await publishDue(services, Math.max(now(), at));
    if (changed > 0) services.log.info({ changed }, 'entries published or unpublished as planned');
  },
  { keyed: true, cron: '* * * * *', atStart: true, timeout: 300 },
);
