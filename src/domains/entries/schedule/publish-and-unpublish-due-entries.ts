/**
 * Job that publishes and unpublishes entries whose schedule is due, in batches per business. Updates are optimistic: an entry whose
 * version has changed since it was read is skipped and read again.
 */
import { z } from 'zod';
import type { Services } from '../../../context.ts';
import { buildWritableBusinessSql, type UntypedRow } from '../../../db/index.ts';
import { now } from '../../../lib/time.ts';
import { defineJob } from '../../../ports/jobs.ts';
import { buildSystemStatusHistoryEntry } from '../../shared/status-history.ts';
import { type Entry, entryTable } from '../model.ts';
import { saveEntryIfUnchanged } from '../write/update-entry-row.ts';
import { computeDueEntryStatuses } from './compute-due-statuses.ts';

/** Entries per business and round, so that one business with many due entries does not delay the others. */
const batchSize = 20;

const dueAtSql = (alias: string) => `least(${alias}.publish_at, ${alias}.unpublish_at)`;
/** Due entries of the next business that has any, oldest first. */
const nextBatchStatement = `select ${entryTable.columns} from ${entryTable.from} where ${dueAtSql('e')} <= $1 and e.business_id = (
    select n.business_id from entries n where n.business_id > $2 and ${dueAtSql('n')} <= $1
      and ${buildWritableBusinessSql('n.business_id')} order by n.business_id, ${dueAtSql('n')} limit 1)
  order by ${dueAtSql('e')} limit ${batchSize}`;

const noBusiness = '00000000-0000-0000-0000-000000000000';

type PublishServices = Pick<Services, 'db' | 'jobs' | 'log'>;

/** Returns the number of entries that this call changed. Safe to run in several processes: the version check lets one of them change each entry. */
export async function publishAndUnpublishDueEntries(
  services: PublishServices,
  time = now(),
): Promise<number> {
  let total = 0;
  let firstFailure: { error: unknown } | undefined;
  for (let hasMore = true; hasMore; ) {
    hasMore = false;
    for (let business = noBusiness; ; ) {
      const rows = await services.db.sql<UntypedRow>(nextBatchStatement, [time, business]);
      const batch = rows.map((row) => entryTable.read(row));
      if (!batch[0]) break;
      business = batch[0].businessId;
      let changed = 0;
      for (const entry of batch) {
        try {
          if (await publishEntry(services, entry, time)) changed += 1;
        } catch (error) {
          // One failing entry must not block the others: the first error is thrown at the end.
          firstFailure ??= { error };
        }
      }
      total += changed;
      // A batch without any change (another process was faster, or every entry failed) is not repeated in this run.
      if (batch.length === batchSize && changed > 0) hasMore = true;
    }
  }
  if (firstFailure) throw firstFailure.error;
  return total;
}

const publishEntry = (services: PublishServices, entry: Entry, time: number): Promise<boolean> =>
  saveEntryIfUnchanged(services, services.db, entry.version, {
    ...computeDueEntryStatuses(entry, time, buildSystemStatusHistoryEntry),
    version: services.db.nextVersion(entry.version),
    updatedAt: now(),
  });

/** Enqueued for each scheduled time, and by cron every minute in case a job was lost or a process died. */
export const publishAndUnpublishDueEntriesJob = defineJob(
  'publish-due',
  z.object({ at: z.number().optional() }),
  async (services: PublishServices, { at = 0 }: { at?: number | undefined }) => {
    // The job queue uses the database clock: the job is due even if the clock of this process is behind.
    const changed = await publishAndUnpublishDueEntries(services, Math.max(now(), at));
    if (changed > 0) services.log.info({ changed }, 'scheduled entries published or unpublished');
  },
  { deduplicateByKey: true, cron: '* * * * *', atStart: true, timeout: 300 },
);
