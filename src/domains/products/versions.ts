/** Products this process has read. Every edit and every stock move makes a new version, so the database only has to say which is current. */

import { holds } from '../../auth/holds.ts';
import { versionsOf } from '../../db/versions.ts';
import { productColumns, toProduct } from './model.ts';
import { publicView } from './public-view.ts';

export const productVersions = versionsOf({
  from: 'products p',
  alias: 'p',
  columns: productColumns,
  read: toProduct,
  lookups: { id: { condition: 'p.id = q.key::uuid' }, slug: { condition: 'p.slug = q.key' } },
  isPublic: `p.status = 'ACTIVE'`,
  isStaff: (business, user) => holds(business, user, 'PRODUCTS_WRITE'),
  ...publicView,
});
