/** Record cache of products, keyed by id and version. Every edit and every stock movement increments the version, so a hit only needs a query for the current version. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';
import { defineCachedRecords } from '../../../db/index.ts';
import { productColumns, toProduct } from '../model.ts';
import { nonStaffProductViews } from './non-staff-product-views.ts';

export const productCache = defineCachedRecords({
  from: 'products p',
  alias: 'p',
  columns: productColumns,
  read: toProduct,
  lookups: { id: { condition: 'p.id = q.key::uuid' }, slug: { condition: 'p.slug = q.key' } },
  isPublic: `p.status = 'ACTIVE'`,
  isStaff: (business, user) => buildPermissionConditionSql(business, user, 'PRODUCTS_WRITE'),
  ...nonStaffProductViews,
});
