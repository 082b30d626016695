/** Status histories: append-only lists whose last entry is the current status. */
import type { Viewer } from '../../auth/viewer-and-authentication.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { StatusHistoryEntry } from './media-and-status-history-types.ts';

/** Status change as sent by a client. */
export interface SubmittedStatusChange<Status extends string> {
  id?: string | undefined;
  status: Status;
  changedBy?: StatusHistoryEntry['changedBy'] | undefined;
  userId?: string | undefined;
  timestamp?: number | undefined;
}

/** Builds the history entry of a status change: its id, who made it, and when. */
export type BuildStatusHistoryEntry = <Status extends string>(
  change: SubmittedStatusChange<Status>,
) => StatusHistoryEntry<Status>;

/** Only API keys may set `changedBy`, `userId` and `timestamp`; for other viewers the gateway sets them. */
export function createStatusHistoryEntryBuilder(viewer: Viewer): BuildStatusHistoryEntry {
  const isTrusted = viewer.isApiKey;
  return ({ id, status, changedBy, userId, timestamp }) => ({
    id: id ?? newId(),
    status,
    changedBy: (isTrusted && changedBy) || (viewer.user ? 'USER' : 'SYSTEM'),
    userId: isTrusted && userId ? userId : viewer.user?.userId,
    timestamp: (isTrusted && timestamp) || now(),
  });
}

/** Entry of a status change that the gateway makes itself. */
export const buildSystemStatusHistoryEntry: BuildStatusHistoryEntry = ({ id, status }) => ({
  id: id ?? newId(),
  status,
  changedBy: 'SYSTEM',
  timestamp: now(),
});

/** Skips changes whose id is already in the history and changes to the current status. */
export function appendStatusChanges<Status extends string>(
  history: readonly StatusHistoryEntry<Status>[],
  changes: readonly SubmittedStatusChange<Status>[],
  buildStatusEntry: BuildStatusHistoryEntry,
): StatusHistoryEntry<Status>[] {
  const result = [...history];
  const existingIds = new Set(history.map((entry) => entry.id));
  for (const change of changes) {
    if (change.id !== undefined && existingIds.has(change.id)) continue;
    if (result.at(-1)?.status === change.status) continue;
    const entry = buildStatusEntry(change);
    existingIds.add(entry.id);
    result.push(entry);
  }
  return result;
}

/** Removes `userId` from entries of other users, for viewers who are not staff. Returns the same array when nothing changes. */
export const hideStatusActors = <Status extends string>(
  history: readonly StatusHistoryEntry<Status>[],
  viewerId: string | null | undefined,
): readonly StatusHistoryEntry<Status>[] =>
  history.some(({ userId }) => userId !== undefined && userId !== viewerId)
    ? history.map((entry) => (entry.userId === viewerId ? entry : { ...entry, userId: undefined }))
    : history;

/** Public view of records with one status history, for the record cache. */
export const nonStaffStatusHistoryViews = {
  publicView<T extends { readonly statuses: readonly StatusHistoryEntry[] }>(
    record: T,
    viewerId: string | null,
  ): T {
    const statuses = hideStatusActors(record.statuses, viewerId);
    return statuses === record.statuses ? record : { ...record, statuses };
  },
  hasPersonalView: ({ statuses }: { readonly statuses: readonly StatusHistoryEntry[] }, viewerId: string) =>
    statuses.some(({ userId }) => userId === viewerId),
};

/** Combines `statuses` with the shorthand `status`, which comes last. */
export function toStatusChanges<Status extends string>(input: {
  status?: Status | undefined;
  statuses?: SubmittedStatusChange<Status>[] | undefined;
}): SubmittedStatusChange<Status>[] {
  return [...(input.statuses ?? []), ...(input.status ? [{ status: input.status }] : [])];
}
