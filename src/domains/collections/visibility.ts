/** Who sees drafts of collections. */
import { holds } from '../shared/visibility.ts';

/** SQL: the collection is public, or the user in parameter `user` may write content of the business in `business`. */
export const isVisible = (business: string, user: string) =>
  `(c.status = 'PUBLISHED' or ${holds(business, user, 'CONTENT_WRITE')})`;
