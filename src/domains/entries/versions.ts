/** Entries this process has read. Every change makes a new version, so the database only has to say which is current. */

import { holds } from '../../auth/holds.ts';
import { versionsOf } from '../../db/versions.ts';
import { entries } from './model.ts';
import { publicView } from './public-view.ts';
import { bySlug } from './slugs.ts';
import { isPublic } from './visibility.ts';

export const entryVersions = versionsOf({
  from: entries.from,
  alias: 'e',
  columns: entries.columns,
  read: entries.read,
  lookups: { id: { condition: 'e.id = q.key::uuid' }, slug: bySlug('q.key', 'q.locale') },
  isPublic,
  isStaff: (business, user) => holds(business, user, 'CONTENT_WRITE'),
  ...publicView,
});
