/** A product as callers see it, and how it is put together from its row, its document and its stock. */

import type { Block } from '../blocks/model.ts';
import type { Media, StatusEntry } from '../shared/model.ts';

export const productStatuses = ['ACTIVE', 'DRAFT', 'ARCHIVED'] as const;
export type ProductStatus = (typeof productStatuses)[number];

export interface MarketPrice {
  marketId: string;
  currency: string;
  price: number;
  compareAtPrice?: number | undefined;
}

export interface Inventory {
  tracked: boolean;
  quantity: number;
  lowStockThreshold?: number | undefined;
}

/** What of a variant is read and written as a whole. */
export interface VariantDocument {
  id: string;
  name: string;
  attributes: { name: string; value: string }[];
  pricing: { markets: MarketPrice[] };
  gallery?: Media[] | undefined;
}

export interface Variant extends VariantDocument {
  sku?: string | undefined;
  inventory: Inventory;
}

export interface ProductDocument {
  description: string;
  gallery: Media[];
  blocks: Block[];
  variants: VariantDocument[];
}

export interface Product {
  id: string;
  businessId: string;
  name: string;
  slug: string;
  description: string;
  category: string;
  gallery: Media[];
  variants: Variant[];
  statuses: StatusEntry<ProductStatus>[];
  blocks: Block[];
  version: number;
  createdAt: number;
  updatedAt: number;
}

/** The stock of one variant, apart from its product. */
export interface StockLevel {
  productId: string;
  variantId: string;
  sku?: string | undefined;
  inventory: Inventory;
}

export interface ProductRow {
  id: string;
  business_id: string;
  slug: string;
  name: string;
  category: string;
  statuses: StatusEntry<ProductStatus>[];
  document: ProductDocument;
  version: number;
  created_at: number;
  updated_at: number;
  /** One `[id, sku, tracked, quantity, lowStockThreshold]` per variant. */
  stock: StockRow[] | null;
}

export type StockRow = [
  id: string,
  sku: string | null,
  tracked: boolean,
  quantity: number,
  lowStockThreshold: number | null,
];

/** The columns of a ProductRow, in one statement whatever the number of products. */
export const productColumns = `p.id, p.business_id, p.slug, p.name, p.category, p.statuses, p.document, p.version, p.created_at, p.updated_at,
  (select json_agg(json_build_array(v.id, v.sku, v.tracked, v.quantity, v.low_stock_threshold)) from variants v where v.product_id = p.id) as stock`;

export function toProduct(row: ProductRow): Product {
  const { description, gallery, blocks, variants } = row.document;
  return {
    id: row.id,
    businessId: row.business_id,
    name: row.name,
    slug: row.slug,
    description,
    category: row.category,
    gallery,
    variants: variants.map((variant) => withStock(variant, row.stock ?? [])),
    statuses: row.statuses,
    blocks,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

const unlimited: Inventory = { tracked: false, quantity: 0 };

function withStock(variant: VariantDocument, stock: readonly StockRow[]): Variant {
  const row = stock.find(([id]) => id === variant.id);
  if (!row) return { ...variant, inventory: unlimited };
  const [, sku, tracked, quantity, lowStockThreshold] = row;
  return {
    ...variant,
    sku: sku ?? undefined,
    inventory: { tracked, quantity, lowStockThreshold: lowStockThreshold ?? undefined },
  };
}

/** The two halves of a variant: what goes into the document, and what goes into its row. */
export function splitVariant({ sku, inventory, ...document }: Variant): {
  document: VariantDocument;
  stock: StockRow;
} {
  return {
    document,
    stock: [
      document.id,
      sku ?? null,
      inventory.tracked,
      inventory.quantity,
      inventory.lowStockThreshold ?? null,
    ],
  };
}
