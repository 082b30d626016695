/** Registers products with the categories to which they refer by slug. */
import { registerCategorySlugReferrer } from '../categories/write/category-slug-referrer-registry.ts';

registerCategorySlugReferrer({
  name: 'products',
  existsSql: (business, slug) =>
    `exists (select 1 from products p where p.business_id = ${business} and p.category = ${slug})`,
});
