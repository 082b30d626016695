/** Status histories are append-only lists whose last entry is current. */
import type { Viewer } from '../../auth/viewer.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import type { StatusEntry } from './model.ts';

/** What a caller may say about a change of status. */
export interface StatusChange<Status extends string> {
  id?: string | undefined;
  status: Status;
  changedBy?: StatusEntry['changedBy'] | undefined;
  userId?: string | undefined;
  timestamp?: number | undefined;
}

export type StatusStamper = <Status extends string>(change: StatusChange<Status>) => StatusEntry<Status>;

/** Only API keys may say who changed a status and when; for everybody else the server knows. */
export function createStatusStamper(viewer: Viewer): StatusStamper {
  const told = viewer.isApiKey;
  return ({ id, status, changedBy, userId, timestamp }) => ({
    id: id ?? newId(),
    status,
    changedBy: (told && changedBy) || (viewer.user ? 'USER' : 'SYSTEM'),
    userId: told && userId ? userId : viewer.user?.userId,
    timestamp: (told && timestamp) || now(),
  });
}

/** For what the service does on its own. */
export const stampAsSystem: StatusStamper = ({ id, status }) => ({
  id: id ?? newId(),
  status,
  changedBy: 'SYSTEM',
  timestamp: now(),
});

/** Entries already known by id, and a repetition of the current status, add nothing. */
export function appendStatusChanges<Status extends string>(
  history: readonly StatusEntry<Status>[],
  changes: readonly StatusChange<Status>[],
  stamp: StatusStamper,
): StatusEntry<Status>[] {
  const result = [...history];
  const known = new Set(history.map((entry) => entry.id));
  for (const change of changes) {
    if (change.id !== undefined && known.has(change.id)) continue;
    if (result.at(-1)?.status === change.status) continue;
    const entry = stamp(change);
    known.add(entry.id);
    result.push(entry);
  }
  return result;
}

/** A history as others than staff see it: nobody is told who acted but the person themself. */
export const hideStatusActors = <Status extends string>(
  history: StatusEntry<Status>[],
  reader: string | null | undefined,
): StatusEntry<Status>[] =>
  history.some(({ userId }) => userId !== undefined && userId !== reader)
    ? history.map((entry) => (entry.userId === reader ? entry : { ...entry, userId: undefined }))
    : history;

/** What a versioned kind of record with one history shows to the public. */
export const statusActorVisibility = {
  forPublic<T extends { statuses: StatusEntry[] }>(record: T, reader: string | null): T {
    const statuses = hideStatusActors(record.statuses, reader);
    return statuses === record.statuses ? record : { ...record, statuses };
  },
  concerns: ({ statuses }: { statuses: StatusEntry[] }, reader: string) =>
    statuses.some(({ userId }) => userId === reader),
};

/** `status` is shorthand for a history of one entry. */
export function toStatusChanges<Status extends string>(input: {
  status?: Status | undefined;
  statuses?: StatusChange<Status>[] | undefined;
}): StatusChange<Status>[] {
  return [...(input.statuses ?? []), ...(input.status ? [{ status: input.status }] : [])];
}
