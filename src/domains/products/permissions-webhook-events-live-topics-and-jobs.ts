/** Permissions, webhook events, live topics and jobs of products. Read by scripts/gather.ts. */
import { auditStockJob } from './stock/audit-stock.ts';

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
