/** Collections this process has read. Every change makes a new version, so the database only has to say which is current. */

import { holds } from '../../auth/holds.ts';
import { versionsOf } from '../../db/versions.ts';
import { hiddenActors } from '../shared/history.ts';
import { collections } from './model.ts';

export const collectionVersions = versionsOf({
  from: collections.from,
  alias: 'c',
  columns: collections.columns,
  read: collections.read,
  lookups: { id: { condition: 'c.id = q.key::uuid' }, slug: { condition: 'c.slug = q.key' } },
  isPublic: `c.status = 'PUBLISHED'`,
  isStaff: (business, user) => holds(business, user, 'CONTENT_WRITE'),
  ...hiddenActors,
});
