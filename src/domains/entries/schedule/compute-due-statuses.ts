/** Applies the scheduled status changes of an entry that are due. Pure. */
import { appendStatusChanges, type BuildStatusHistoryEntry } from '../../shared/status-history.ts';
import type { Entry } from '../model.ts';

/** Applies all changes due at `time` (Unix seconds) in the order of their schedule; returns the same object when nothing is due. */
export function computeDueEntryStatuses(
  entry: Entry,
  time: number,
  buildStatusEntry: BuildStatusHistoryEntry,
): Entry {
  const { publishAt, unpublishAt } = entry;
  const isDue = (at: number | undefined): at is number => at !== undefined && at <= time;
  if (!isDue(publishAt) && !isDue(unpublishAt)) return entry;
  const dueChanges = [
    ...(isDue(publishAt) ? [{ at: publishAt, status: 'PUBLISHED' as const }] : []),
    ...(isDue(unpublishAt) ? [{ at: unpublishAt, status: 'DRAFT' as const }] : []),
  ].sort((a, b) => a.at - b.at);
  return {
    ...entry,
    statuses: appendStatusChanges(
      entry.statuses,
      dueChanges.map(({ status }) => ({ status })),
      buildStatusEntry,
    ),
    publishAt: isDue(publishAt) ? undefined : publishAt,
    unpublishAt: isDue(unpublishAt) ? undefined : unpublishAt,
  };
}
