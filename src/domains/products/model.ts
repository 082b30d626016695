/** A product as callers see it, and how it is put together from its row, its document and its stock. */

import { alwaysPresent, documentListShape } from '../../db/records/document.ts';
import { defineTable, type TableRow } from '../../db/records/table.ts';
import type { ProductModel, VariantModel } from '../../generated/prisma/models.ts';
import type { Block } from '../blocks/model.ts';
import type { Media, StatusEntry } from '../shared/model.ts';

export const productStatuses = ['ACTIVE', 'DRAFT', 'ARCHIVED'] as const;
export type ProductStatus = (typeof productStatuses)[number];

export interface MarketPrice {
  marketId: string;
  currency: string;
  price: number;
  compareAtPrice?: number | undefined;
  sale?: SalePrice | undefined;
  tiers?: PriceTier[] | undefined;
  /** Not public: only staff see them. */
  groupPrices?: GroupPrice[] | undefined;
}

/** A lower price for a time, from `startsAt` until just before `endsAt`. */
export interface SalePrice {
  amount: number;
  startsAt?: number | undefined;
  endsAt?: number | undefined;
}

/** A lower price for whoever orders so many pieces. */
export interface PriceTier {
  minQuantity: number;
  amount: number;
}

/** A lower price for whoever is in a customer group. A group that is gone has nobody in it. */
export interface GroupPrice {
  groupId: string;
  amount: number;
}

/** What the column of a quantity holds. */
export const maxStockQuantity = 2_147_483_647;

export interface Inventory {
  tracked: boolean;
  quantity: number;
  lowStockThreshold?: number | undefined;
}

/** What of a variant is read and written as a whole. */
interface VariantDocument {
  id: string;
  name: string;
  attributes: { name: string; value: string }[];
  pricing: { markets: MarketPrice[] };
  gallery?: Media[] | undefined;
}

export interface Variant extends VariantDocument {
  /** The business that sells it: groups that its prices are for are of that business. */
  businessId: string;
  sku?: string | undefined;
  inventory: Inventory;
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

/** What is in the document besides the variants, as it is where nobody has said anything: in a new product, in a document from before. */
const blankDocument: Pick<Product, 'description' | 'gallery' | 'blocks'> = {
  description: '',
  gallery: [],
  blocks: [],
};

type Required = 'id' | 'businessId' | 'name' | 'slug' | 'statuses' | 'version' | 'createdAt' | 'updatedAt';

/** A product of which nothing is known yet but what every product has to say. */
export const blankProduct: Omit<Product, Required> = { ...blankDocument, category: '', variants: [] };

type StoredProduct = Omit<Product, 'variants'> & { variants: VariantDocument[] };

export const products = defineTable<StoredProduct, ProductModel>('products', 'p', {
  id: 'fixed',
  businessId: 'fixed',
  slug: 'column',
  name: 'column',
  category: 'column',
  statuses: 'json',
  status: 'computed',
  document: {
    ...blankDocument,
    variants: documentListShape<VariantDocument>({
      id: alwaysPresent,
      name: '',
      attributes: [],
      pricing: { markets: [] },
      gallery: undefined,
    }),
  },
  version: 'column',
  createdAt: 'fixed',
  updatedAt: 'column',
});

/** What of a variant is searched or changes under concurrency: its row. */
interface Stock {
  id: string;
  productId: string;
  businessId: string;
  position: number;
  sku?: string | undefined;
  tracked: boolean;
  quantity: number;
  lowStockThreshold?: number | undefined;
}

export const variantStock = defineTable<Stock, VariantModel>('variants', 'v', {
  id: 'fixed',
  productId: 'fixed',
  businessId: 'fixed',
  position: 'column',
  sku: 'column',
  tracked: 'column',
  quantity: 'column',
  lowStockThreshold: 'column',
});

export const toStockRows = ({ id: productId, businessId, variants }: Product): Stock[] =>
  variants.map(({ id, sku, inventory }, index) => ({
    id,
    productId,
    businessId,
    position: index + 1,
    sku,
    ...inventory,
  }));

type StockRow = [
  id: string,
  sku: string | null,
  tracked: boolean,
  quantity: number,
  lowStockThreshold: number | null,
];

export type ProductRow = TableRow & { readonly stock: StockRow[] | null };

/** The columns of a ProductRow, in one statement whatever the number of products. */
export const productColumns = `${products.columns}, (
  select json_agg(json_build_array(${variantStock.selectFields('id', 'sku', 'tracked', 'quantity', 'lowStockThreshold').columns}))
  from ${variantStock.from} where v.business_id = p.business_id and v.product_id = p.id) as stock`;

export function toProduct(row: ProductRow): Product {
  const product = products.read(row);
  const { businessId, variants } = product;
  return {
    ...product,
    variants: variants.map((variant) => withStock(businessId, variant, row.stock ?? [])),
  };
}

/** The stock of a variant of which nobody has said anything. */
export const unlimitedStock: Inventory = { tracked: false, quantity: 0 };

function withStock(businessId: string, variant: VariantDocument, rows: readonly StockRow[]): Variant {
  const row = rows.find(([id]) => id === variant.id);
  if (!row) return Object.assign({}, variant, { businessId, inventory: unlimitedStock });
  const [, sku, tracked, quantity, lowStockThreshold] = row;
  return Object.assign({}, variant, {
    businessId,
    sku: sku ?? undefined,
    inventory: { tracked, quantity, lowStockThreshold: lowStockThreshold ?? undefined },
  });
}
