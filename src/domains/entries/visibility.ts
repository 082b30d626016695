/** Who sees which entries. */
import { holds } from '../../auth/holds.ts';
import { isPublished } from '../collections/visibility.ts';

/** SQL: the entry and its collection are public. Entries of orders and reservations have no collection: they are for staff. */
export const isPublic = `(e.status = 'PUBLISHED' and ${isPublished('e.collection_id')})`;

/** SQL: the entry is public, or the user in parameter `user` may write content of the business in `business`. */
export const isVisible = (business: string, user: string) =>
  `(${isPublic} or ${holds(business, user, 'CONTENT_WRITE')})`;
