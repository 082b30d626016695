/** SQL condition for the products that a viewer may read. */
import { buildPermissionConditionSql } from '../../../auth/permission-condition-sql.ts';

/**
 * SQL condition on `products p`: the product is ACTIVE, or the user in parameter `user` has PRODUCTS_WRITE in the business in
 * `business`.
 */
export const buildProductVisibilitySql = (business: string, user: string) =>
  `(p.status = 'ACTIVE' or ${buildPermissionConditionSql(business, user, 'PRODUCTS_WRITE')})`;
