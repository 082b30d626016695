/** Record cache of entries. Every change increments the version, so a lookup reads only the current version number from the database. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import { defineCachedRecords } from '../../../db/index.ts';
import { entryTable } from '../model.ts';
import { buildEntrySlugConditionAndOrderSql } from '../slugs/slug-lookup-sql.ts';
import { entryPublicConditionSql } from '../visibility-sql.ts';
import { nonStaffEntryViews } from './non-staff-entry-views.ts';

export const entryCache = defineCachedRecords({
  from: entryTable.from,
  alias: 'e',
  columns: entryTable.columns,
  read: entryTable.read,
  lookups: {
    id: { condition: 'e.id = q.key::uuid' },
    slug: buildEntrySlugConditionAndOrderSql('q.key', 'q.locale'),
  },
  isPublic: entryPublicConditionSql,
  isStaff: (business, user) => buildPermissionConditionSql(business, user, 'CONTENT_WRITE'),
  ...nonStaffEntryViews,
});
