/** Schedules publication of an entry and its return to DRAFT. A time in the past takes effect immediately. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { createStatusHistoryEntryBuilder } from '../../shared/status-history.ts';
import type { Entry } from '../model.ts';
import type { ScheduleEntryArgs } from '../schemas.ts';
import { lockEntry } from '../write/lock-entry.ts';
import { saveEntry } from '../write/update-entry-row.ts';
import { computeDueEntryStatuses } from './compute-due-statuses.ts';
import { publishAndUnpublishDueEntriesJob } from './publish-and-unpublish-due-entries.ts';

/** An omitted time cancels that schedule. */
export async function scheduleEntry(
  ctx: Context,
  { businessId, id, publishAt, unpublishAt, version }: ScheduleEntryArgs,
): Promise<Entry> {
  return ctx.db.transaction(async (tx) => {
    const current = await lockEntry(tx, businessId, id);
    if (!current) throw notFoundError('Entry');
    assertExpectedVersion(current.version, version);
    const time = now();
    const scheduled = {
      ...current,
      publishAt,
      unpublishAt,
      version: tx.nextVersion(current.version),
      updatedAt: time,
    };
    const changed = computeDueEntryStatuses(scheduled, time, createStatusHistoryEntryBuilder(ctx.viewer));
    await saveEntry(ctx, tx, changed);
    // Jobs of earlier schedules are not cancelled: they find nothing due.
    for (const at of [changed.publishAt, changed.unpublishAt])
      if (at !== undefined)
        await ctx.jobs.enqueue(
          tx,
          publishAndUnpublishDueEntriesJob,
          { at },
          { startAt: at, key: String(at) },
        );
    return changed;
  });
}
