/** SQL conditions for the entries that a viewer may read. */
import { buildPermissionConditionSql } from '../../auth/permission-condition-sql.ts';
import { buildCollectionPublishedConditionSql } from '../collections/visibility-sql.ts';

/** SQL condition: the entry and its collection are published. Entries of orders and reservations have no collection and are visible to staff only. */
export const entryPublicConditionSql = `(e.status = 'PUBLISHED' and ${buildCollectionPublishedConditionSql('e.collection_id')})`;

/** SQL condition: the entry is public, or the user in parameter `user` has CONTENT_WRITE in the business in `business`. */
export const buildEntryVisibilityConditionSql = (business: string, user: string) =>
  `(${entryPublicConditionSql} or ${buildPermissionConditionSql(business, user, 'CONTENT_WRITE')})`;
