/** Who sees drafts: decided inside the statement that reads, so that reading needs no second query. */
import type { Viewer } from '../../auth/viewer.ts';

/** The viewer whose permissions the statement has to look up; null when they cannot have any. */
export const draftReader = (viewer: Viewer): string | null =>
  viewer.user && !viewer.user.isGuest ? viewer.user.userId : null;

/** SQL: the product is public, or the user in parameter `user` may write products of the business in `business`. */
export const isVisible = (
  business: string,
  user: string,
) => `(p.status = 'ACTIVE' or (${user}::uuid is not null and exists (
  select 1 from memberships m join roles r on r.id = m.role_id
  where m.user_id = ${user}::uuid and m.business_id = ${business} and r.permissions && array['ADMIN', 'PRODUCTS_WRITE'])))`;
