/** Manifest of businesses: permissions, registrations with other domains. Read by scripts/gather.ts. */
import { registerCategorySlugReferrer } from '../categories/write/category-slug-referrer-registry.ts';
import './staff/register-staff-contacts.ts';

export const permissions = {
  ADMIN: 'All permissions, including management of the business itself, its roles, members and settings.',
};

registerCategorySlugReferrer({
  name: 'tax rates',
  existsSql: (business, slug) =>
    `exists (select 1 from markets m where m.business_id = ${business} and m.tax_rates @> jsonb_build_array(jsonb_build_object('category', ${slug}::text)))`,
});
