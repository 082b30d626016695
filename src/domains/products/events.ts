/** Builders of the webhook events of products. */
import type { WebhookEvent } from '../webhooks/events.ts';
import type { Product } from './model.ts';
import type { LowStock } from './stock/move-stock.ts';

export const productEvent = (
  type: 'product.created' | 'product.updated' | 'product.deleted',
  { id, businessId, slug, name, statuses, version }: Product,
): WebhookEvent => ({
  type,
  data: { id, businessId, slug, name, status: statuses.at(-1)?.status ?? 'DRAFT', version },
});

export const lowStockEvent = (
  businessId: string,
  { productId, variantId, sku, quantity, threshold }: LowStock,
): WebhookEvent => ({
  type: 'stock.low',
  data: { businessId, productId, variantId, sku, quantity, lowStockThreshold: threshold },
});
