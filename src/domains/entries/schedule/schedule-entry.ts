/** Plans when an entry is published and when it is a draft again. A moment that has passed is now. */

import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { createStatusStamper } from '../../shared/status-history.ts';
import type { Entry } from '../model.ts';
import { lockEntry } from '../read/find-entry.ts';
import type { ScheduleEntryArgs } from '../schemas.ts';
import { saveEntry } from '../write/save-entry.ts';
import { applyDueStatuses } from './apply-due-statuses.ts';
import { publishDueJob } from './publish-due-entries.ts';

/** What is not said is no longer planned. */
export async function scheduleEntry(
  ctx: Context,
  { businessId, id, publishAt, unpublishAt, version }: ScheduleEntryArgs,
): Promise<Entry> {
  return ctx.db.transaction(async (tx) => {
    const current = await lockEntry(tx, businessId, id);
    if (!current) throw notFoundError('Entry');
    assertVersion(current.version, version);
    const time = now();
    const planned = {
      ...current,
      publishAt,
      unpublishAt,
      version: tx.nextVersion(current.version),
      updatedAt: time,
    };
    const changed = applyDueStatuses(planned, time, createStatusStamper(ctx.viewer));
    await saveEntry(ctx, tx, changed);
    // Jobs that nobody needs any more find nothing to do.
    for (const at of [changed.publishAt, changed.unpublishAt])
      if (at !== undefined)
        await ctx.jobs.enqueue(tx, publishDueJob, { at }, { startAt: at, key: String(at) });
    return changed;
  });
}
