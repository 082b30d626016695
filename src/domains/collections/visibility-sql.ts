/** SQL conditions for the visibility of collections, used by this domain and by domains whose records belong to a collection. */
import { buildPermissionConditionSql } from '../../auth/permission-condition-sql.ts';

/** SQL condition: the collection is published, or the user in parameter `user` has CONTENT_WRITE in the business in `business`. */
export const buildCollectionVisibilitySql = (business: string, user: string) =>
  `(c.status = 'PUBLISHED' or ${buildPermissionConditionSql(business, user, 'CONTENT_WRITE')})`;

/** SQL condition: the collection whose id is in `id` is published. */
export const buildCollectionPublishedSql = (id: string) =>
  `exists (select 1 from collections c where c.id = ${id} and c.status = 'PUBLISHED')`;

/** SQL expression: id of the collection with the slug in `slug`. */
export const buildCollectionIdBySlugSql = (business: string, slug: string) =>
  `(select c.id from collections c where c.business_id = ${business} and c.slug = ${slug})`;
