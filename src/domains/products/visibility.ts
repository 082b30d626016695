/** Who sees drafts of products. */
import { holds } from '../../auth/holds.ts';

/** SQL: the product is public, or the user in parameter `user` may write products of the business in `business`. */
export const isVisible = (business: string, user: string) =>
  `(p.status = 'ACTIVE' or ${holds(business, user, 'PRODUCTS_WRITE')})`;
