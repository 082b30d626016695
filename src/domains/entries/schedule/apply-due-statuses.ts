/** What is due of an entry that is to be published or unpublished later. Pure. */
import { appendStatusChanges, type StatusStamper } from '../../shared/status-history.ts';
import type { Entry } from '../model.ts';

/** The entry after all that was due at `time`, in the order it was due; the same one when nothing was. */
export function applyDueStatuses(entry: Entry, time: number, stamp: StatusStamper): Entry {
  const { publishAt, unpublishAt } = entry;
  const isDue = (at: number | undefined): at is number => at !== undefined && at <= time;
  if (!isDue(publishAt) && !isDue(unpublishAt)) return entry;
  const steps = [
    ...(isDue(publishAt) ? [{ at: publishAt, status: 'PUBLISHED' as const }] : []),
    ...(isDue(unpublishAt) ? [{ at: unpublishAt, status: 'DRAFT' as const }] : []),
  ].sort((a, b) => a.at - b.at);
  return {
    ...entry,
    statuses: appendStatusChanges(
      entry.statuses,
      steps.map(({ status }) => ({ status })),
      stamp,
    ),
    publishAt: isDue(publishAt) ? undefined : publishAt,
    unpublishAt: isDue(unpublishAt) ? undefined : unpublishAt,
  };
}
