/** Builders of the webhook events of products. */
import type { WebhookEvent } from '../webhooks/webhook-event-types.ts';
import type { Product } from './model.ts';
import type { LowStockVariant } from './stock/move-stock.ts';

export const buildProductEvent = (
  type: 'product.created' | 'product.updated' | 'product.deleted',
  { id, businessId, slug, name, statuses, version }: Product,
): WebhookEvent => ({
  type,
  data: { id, businessId, slug, name, status: statuses.at(-1)?.status ?? 'DRAFT', version },
});

export const buildLowStockEvent = (
  businessId: string,
  { productId, variantId, sku, quantity, threshold }: LowStockVariant,
): WebhookEvent => ({
  type: 'stock.low',
  data: { businessId, productId, variantId, sku, quantity, lowStockThreshold: threshold },
});
