/** Visibility of entries: SQL conditions, and the view for viewers who are not staff. */
import { buildPermissionConditionSql } from '../../auth/permission-sql.ts';
import { buildCollectionPublishedSql } from '../collections/visibility.ts';
import { nonStaffStatusHistoryViews } from '../shared/status-history.ts';
import type { Entry } from './model.ts';

/** SQL condition: the entry and its collection are published. Entries of orders and reservations have no collection and are visible to staff only. */
export const isEntryPublicSql = `(e.status = 'PUBLISHED' and ${buildCollectionPublishedSql('e.collection_id')})`;

/** SQL condition: the entry is public, or the user in parameter `user` has CONTENT_WRITE in the business in `business`. */
export const buildEntryVisibilitySql = (business: string, user: string) =>
  `(${isEntryPublicSql} or ${buildPermissionConditionSql(business, user, 'CONTENT_WRITE')})`;

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
