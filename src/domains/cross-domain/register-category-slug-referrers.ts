/** Registers the records that refer to a category by its slug: products, and the tax rates of markets. */
import { registerCategorySlugReferrer } from '../categories/write/category-slug-referrer-registry.ts';

registerCategorySlugReferrer({
  name: 'tax rates',
  existsSql: (business, slug) =>
    `exists (select 1 from markets m where m.business_id = ${business} and m.tax_rates @> jsonb_build_array(jsonb_build_object('category', ${slug}::text)))`,
});

registerCategorySlugReferrer({
  name: 'products',
  existsSql: (business, slug) =>
    `exists (select 1 from products p where p.business_id = ${business} and p.category = ${slug})`,
});
