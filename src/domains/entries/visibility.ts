/** Who sees which entries. */
import { hasPermissionSql } from '../../auth/permission-sql.ts';
import { isCollectionPublishedSql } from '../collections/visibility.ts';
import { statusActorVisibility } from '../shared/status-history.ts';
import type { Entry } from './model.ts';

/** SQL: the entry and its collection are public. Entries of orders and reservations have no collection: they are for staff. */
export const isEntryPublicSql = `(e.status = 'PUBLISHED' and ${isCollectionPublishedSql('e.collection_id')})`;

/** SQL: the entry is public, or the user in parameter `user` may write content of the business in `business`. */
export const isEntryVisibleSql = (business: string, user: string) =>
  `(${isEntryPublicSql} or ${hasPermissionSql(business, user, 'CONTENT_WRITE')})`;

/** What others than staff see of an entry: neither who acted nor what is planned. Pure. */

export const entryPublicView = {
  forPublic(entry: Entry, reader: string | null): Entry {
    const seen = statusActorVisibility.forPublic(entry, reader);
    return seen.publishAt === undefined && seen.unpublishAt === undefined
      ? seen
      : { ...seen, publishAt: undefined, unpublishAt: undefined };
  },
  concerns: statusActorVisibility.concerns,
};
