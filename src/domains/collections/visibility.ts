/** Who sees drafts of collections, for the statements of this domain and of those that keep things in collections. */
import { hasPermissionSql } from '../../auth/permission-sql.ts';

/** SQL: the collection is public, or the user in parameter `user` may write content of the business in `business`. */
export const isCollectionVisibleSql = (business: string, user: string) =>
  `(c.status = 'PUBLISHED' or ${hasPermissionSql(business, user, 'CONTENT_WRITE')})`;

/** SQL: the collection whose id is in `id` is public. */
export const isCollectionPublishedSql = (id: string) =>
  `exists (select 1 from collections c where c.id = ${id} and c.status = 'PUBLISHED')`;

/** SQL: the id of the collection with the slug in `slug`. */
export const collectionIdBySlugSql = (business: string, slug: string) =>
  `(select c.id from collections c where c.business_id = ${business} and c.slug = ${slug})`;
