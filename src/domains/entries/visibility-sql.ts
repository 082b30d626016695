/** SQL conditions for the entries that a viewer may read. */
import { buildPermissionConditionSql } from '../../auth/permission-condition-sql.ts';
import { buildCollectionPublishedSql } from '../collections/visibility-sql.ts';

/** SQL condition: the entry and its collection are published. Entries of orders and reservations have no collection and are visible to staff only. */
export const isEntryPublicSql = `(e.status = 'PUBLISHED' and ${buildCollectionPublishedSql('e.collection_id')})`;

/** SQL condition: the entry is public, or the user in parameter `user` has CONTENT_WRITE in the business in `business`. */
export const buildEntryVisibilitySql = (business: string, user: string) =>
  `(${isEntryPublicSql} or ${buildPermissionConditionSql(business, user, 'CONTENT_WRITE')})`;
