/**
 * Publishes and unpublishes what is due, a few of each business in turn. The version of each entry decides: what somebody changes
 * meanwhile is looked at anew.
 */
import { z } from 'zod';
import type { Services } from '../../../context.ts';
import type { TableRow } from '../../../db/records/table.ts';
import { now } from '../../../lib/time.ts';
import { defineJob } from '../../../ports/jobs.ts';
import { stampAsSystem } from '../../shared/status-history.ts';
import { type Entry, entries } from '../model.ts';
import { saveEntryIfUnchanged } from '../write/save-entry.ts';
import { applyDueStatuses } from './apply-due-statuses.ts';

/** So many of one business, then it is the turn of the next. */
const turn = 20;

const due = (alias: string) => `least(${alias}.publish_at, ${alias}.unpublish_at)`;
/** What is due of the next business that has something due, oldest first. */
const nextStatement = `select ${entries.columns} from ${entries.from} where ${due('e')} <= $1 and e.business_id = (
    select n.business_id from entries n where n.business_id > $2 and ${due('n')} <= $1 order by n.business_id, ${due('n')} limit 1)
  order by ${due('e')} limit ${turn}`;

const noBusiness = '00000000-0000-0000-0000-000000000000';

type Needed = Pick<Services, 'db' | 'jobs' | 'log'>;

/** Returns how many entries this call changed. Another process may do the same: one of them changes each entry. */
export async function publishDueEntries(services: Needed, time = now()): Promise<number> {
  let total = 0;
  let failed: { error: unknown } | undefined;
  for (let isMore = true; isMore; ) {
    isMore = false;
    for (let business = noBusiness; ; ) {
      const rows = await services.db.sql<TableRow>(nextStatement, [time, business]);
      const found = rows.map((row) => entries.read(row));
      if (!found[0]) break;
      business = found[0].businessId;
      let changed = 0;
      for (const entry of found) {
        try {
          if (await publish(services, entry, time)) changed += 1;
        } catch (error) {
          // What is wrong with one is no reason for others to wait.
          failed ??= { error };
        }
      }
      total += changed;
      // What others have taken is theirs; what nobody could change waits for the next run.
      if (found.length === turn && changed > 0) isMore = true;
    }
  }
  if (failed) throw failed.error;
  return total;
}

const publish = (services: Needed, entry: Entry, time: number): Promise<boolean> =>
  saveEntryIfUnchanged(services, services.db, entry.version, {
    ...applyDueStatuses(entry, time, stampAsSystem),
    version: services.db.nextVersion(entry.version),
    updatedAt: now(),
  });

/** One for each planned moment, and one a minute for what a dead process or a lost job left behind. */
export const publishDueJob = defineJob(
  'publish-due',
  z.object({ at: z.number().optional() }),
  async (services: Needed, { at = 0 }: { at?: number | undefined }) => {
    // The clock of the database has said that it is time, even if ours is a little slow.
    const changed = await publishDueEntries(services, Math.max(now(), at));
    if (changed > 0) services.log.info({ changed }, 'entries published or unpublished as planned');
  },
  { deduplicateByKey: true, cron: '* * * * *', atStart: true, timeout: 300 },
);
