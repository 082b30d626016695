/** Record cache of categories. Every change increments the version, so a lookup reads only the current version number from the database. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import { defineCachedRecords } from '../../../db/index.ts';
import { categoryTable } from '../model.ts';

export const categoryCache = defineCachedRecords({
  from: categoryTable.from,
  alias: 'cat',
  columns: categoryTable.columns,
  read: categoryTable.read,
  lookups: { id: { condition: 'cat.id = q.key::uuid' }, slug: { condition: 'cat.slug = q.key' } },
  // Categories have no drafts.
  isPublic: 'true',
  isStaff: (business, user) => buildPermissionConditionSql(business, user, 'PRODUCTS_WRITE'),
  publicView: (category) => category,
  hasPersonalView: () => false,
});
