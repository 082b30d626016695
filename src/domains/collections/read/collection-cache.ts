/** Record cache of collections. Every change increments the version, so a lookup reads only the current version number from the database. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import { defineCachedRecords } from '../../../db/index.ts';
import { nonStaffStatusHistoryViews } from '../../shared/status-history.ts';
import { collectionTable } from '../model.ts';

export const collectionCache = defineCachedRecords({
  from: collectionTable.from,
  alias: 'c',
  columns: collectionTable.columns,
  read: collectionTable.read,
  lookups: { id: { condition: 'c.id = q.key::uuid' }, slug: { condition: 'c.slug = q.key' } },
  isPublic: `c.status = 'PUBLISHED'`,
  isStaff: (business, user) => buildPermissionConditionSql(business, user, 'CONTENT_WRITE'),
  ...nonStaffStatusHistoryViews,
});
