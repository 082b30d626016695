/** Registers the tax rates of markets with the categories to which they refer by slug. */
import { registerCategorySlugReferrer } from '../categories/write/category-slug-referrer-registry.ts';

registerCategorySlugReferrer({
  name: 'tax rates',
  existsSql: (business, slug) =>
    `exists (select 1 from markets m where m.business_id = ${business} and m.tax_rates @> jsonb_build_array(jsonb_build_object('category', ${slug}::text)))`,
});
