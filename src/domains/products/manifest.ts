/** Manifest of products: permissions, webhook events, live topics, jobs, registrations with other domains. Read by scripts/gather.ts. */
import './product-card-fields.ts';
import './category-products-field.ts';
import './product-category-record-field.ts';
import { registerCategorySlugReferrer } from '../categories/write/category-slug-referrer-registry.ts';
import { auditStockJob } from './stock/audit-stock.ts';

registerCategorySlugReferrer({
  name: 'products',
  existsSql: (business, slug) =>
    `exists (select 1 from products p where p.business_id = ${business} and p.category = ${slug})`,
});

export const permissions = {
  PRODUCTS_WRITE: 'Read drafts; create, update and delete products; adjust stock.',
};

export const webhookEvents = {
  'product.created': 'A product was created.',
  'product.updated': 'A product was updated. Not sent for stock changes by orders.',
  'product.deleted': 'A product was deleted.',
  'stock.low': 'A sale reduced the stock of a variant to its low-stock threshold or below.',
};

export const liveTopics = ['stock'];

export const jobs = [auditStockJob];
