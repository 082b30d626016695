/** Entries as viewers who are not staff see them: without the schedule and the users of the status history. */
import { nonStaffStatusHistoryViews } from '../../shared/status-history.ts';
import type { Entry } from '../model.ts';

/** View for viewers who are not staff: hides who changed a status, and the schedule. Pure. */
export const nonStaffEntryViews = {
  publicView(entry: Entry, reader: string | null): Entry {
    const view = nonStaffStatusHistoryViews.publicView(entry, reader);
    return view.publishAt === undefined && view.unpublishAt === undefined
      ? view
      : { ...view, publishAt: undefined, unpublishAt: undefined };
  },
  hasPersonalView: nonStaffStatusHistoryViews.hasPersonalView,
};
