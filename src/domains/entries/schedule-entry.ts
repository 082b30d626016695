/** Plans when an entry is published and when it is a draft again. A moment that has passed is now. */

import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { stampFor } from '../shared/history.ts';
import type { ScheduleEntry } from './checks.ts';
import { lockEntry } from './find-entry.ts';
import type { Entry } from './model.ts';
import { publishDueJob } from './publish-due.ts';
import { saveEntry } from './save-entry.ts';
import { afterDue } from './schedule.ts';

/** What is not said is no longer planned. */
export async function scheduleEntry(
  ctx: Context,
  { businessId, id, publishAt, unpublishAt, version }: ScheduleEntry,
): Promise<Entry> {
  return ctx.db.transaction(async (tx) => {
    const current = await lockEntry(tx, businessId, id);
    if (!current) throw notFound('Entry');
    expectVersion(current.version, version);
    const time = now();
    const planned = {
      ...current,
      publishAt,
      unpublishAt,
      version: tx.nextVersion(current.version),
      updatedAt: time,
    };
    const changed = afterDue(planned, time, stampFor(ctx.viewer));
    await saveEntry(ctx, tx, changed);
    // Jobs that nobody needs any more find nothing to do.
    for (const at of [changed.publishAt, changed.unpublishAt])
      if (at !== undefined)
        await ctx.jobs.enqueue(tx, publishDueJob, { at }, { startAt: at, key: String(at) });
    return changed;
  });
}
