/** Product and variant records and their tables: a product is assembled from its row, its JSON document and the stock rows of its variants. */
import {
  alwaysInJsonDocument,
  defineJsonDocumentList,
  defineTable,
  type UntypedRow,
} from '../../db/index.ts';
import type { ProductModel, VariantModel } from '../../generated/prisma/models.ts';
import {
  type ApiFieldValues,
  buildJsonDocumentFieldsOfDeclarations,
  buildTableColumnsOfDeclarations,
  getApiFieldDefaults,
} from '../../lib/validation/api-field-declarations.ts';
import type { Block } from '../blocks/model.ts';
import type { MediaItem, StatusHistoryEntry } from '../shared/media-and-status-history-types.ts';
import { productApiFields } from './api-field-declarations.ts';

export const productStatuses = ['ACTIVE', 'DRAFT', 'ARCHIVED'] as const;
export type ProductStatus = (typeof productStatuses)[number];

export interface MarketPrice {
  readonly marketId: string;
  readonly currency: string;
  readonly price: number;
  readonly compareAtPrice?: number | undefined;
  readonly sale?: SalePrice | undefined;
  readonly tiers?: readonly PriceTier[] | undefined;
  /** Visible to staff only. */
  readonly groupPrices?: readonly GroupPrice[] | undefined;
}

/** Reduced price from `startsAt` (inclusive) until `endsAt` (exclusive). */
export interface SalePrice {
  readonly amount: number;
  readonly startsAt?: number | undefined;
  readonly endsAt?: number | undefined;
}

/** Reduced unit price for orders of at least `minQuantity` units. */
export interface PriceTier {
  readonly minQuantity: number;
  readonly amount: number;
}

/** Reduced unit price for members of a customer group. A deleted group has no members. */
export interface GroupPrice {
  readonly groupId: string;
  readonly amount: number;
}

/** Maximum of the integer column `quantity`. */
export const maxStockQuantity = 2_147_483_647;

export interface Inventory {
  readonly tracked: boolean;
  readonly quantity: number;
  readonly lowStockThreshold?: number | undefined;
}

/** The part of a variant that is stored in the JSON document of the product. */
interface VariantDocument {
  readonly id: string;
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
  readonly pricing: { readonly markets: readonly MarketPrice[] };
  readonly gallery?: readonly MediaItem[] | undefined;
}

export interface Variant extends VariantDocument {
  /** Business that sells the variant, and that owns the customer groups of its group prices. */
  readonly businessId: string;
  readonly sku?: string | undefined;
  readonly inventory: Inventory;
}

export interface Product extends ApiFieldValues<typeof productApiFields> {
  readonly id: string;
  readonly businessId: string;
  readonly name: string;
  readonly slug: string;
  readonly gallery: readonly MediaItem[];
  readonly variants: readonly Variant[];
  readonly statuses: readonly StatusHistoryEntry<ProductStatus>[];
  readonly blocks: readonly Block[];
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Stock of one variant with the ids to find it. */
export interface StockLevel {
  productId: string;
  variantId: string;
  sku?: string | undefined;
  inventory: Inventory;
}

/** Defaults of the document fields other than variants, for new products and for documents stored before a field existed. */
const blankDocument = {
  ...buildJsonDocumentFieldsOfDeclarations(productApiFields),
  gallery: [] as MediaItem[],
  blocks: [] as Block[],
};

type Required = 'id' | 'businessId' | 'name' | 'slug' | 'statuses' | 'version' | 'createdAt' | 'updatedAt';

/** Defaults of all optional fields of a new product. */
export const productDefaults: Omit<Product, Required> = {
  ...blankDocument,
  ...getApiFieldDefaults(productApiFields),
  variants: [],
};

type StoredProduct = Omit<Product, 'variants'> & { readonly variants: readonly VariantDocument[] };

const variantDocuments = defineJsonDocumentList<VariantDocument>({
  id: alwaysInJsonDocument,
  name: '',
  attributes: [],
  pricing: { markets: [] },
  gallery: undefined,
});

export const productTable = defineTable<StoredProduct, ProductModel>('products', 'p', {
  id: 'fixed',
  businessId: 'fixed',
  slug: 'column',
  name: 'column',
  ...buildTableColumnsOfDeclarations(productApiFields),
  statuses: 'json',
  status: 'computed',
  document: { ...blankDocument, variants: variantDocuments },
  version: 'column',
  createdAt: 'fixed',
  updatedAt: 'column',
});

/** Row of `variants`: the fields that are searched or updated concurrently. */
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

export const variantStockTable = defineTable<Stock, VariantModel>('variants', 'v', {
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

export type ProductRow = UntypedRow & { readonly stock: StockRow[] | null };

/** Stock of all variants, aggregated by a subselect, so that one statement loads any number of products. */
const stockColumn = `(
  select json_agg(json_build_array(${variantStockTable.selectFields('id', 'sku', 'tracked', 'quantity', 'lowStockThreshold').columns}))
  from ${variantStockTable.from} where v.business_id = p.business_id and v.product_id = p.id) as stock`;

export const productColumns = `${productTable.columns}, ${stockColumn}`;

export function toProduct(row: ProductRow): Product {
  const product = productTable.read(row);
  return Object.assign(product, { variants: addStock(product.businessId, product.variants, row.stock) });
}

/** What prices and order lines are derived from. Descriptions, blocks and pictures may be long, and are not loaded. */
export type PricingProduct = Pick<
  Product,
  'id' | 'businessId' | 'name' | 'category' | 'statuses' | 'variants'
>;

const sellableFields = productTable.selectFields('id', 'businessId', 'name', 'category', 'statuses');

export const pricingProductColumns = `${sellableFields.columns}, p.document->'variants' as variants, ${stockColumn}`;

export function toPricingProduct(row: ProductRow): PricingProduct {
  const product = sellableFields.read(row);
  const variants = variantDocuments.read(row.variants);
  return Object.assign(product, { variants: addStock(product.businessId, variants, row.stock) });
}

/** Default inventory of a variant without stock fields. */
export const untrackedInventory: Inventory = { tracked: false, quantity: 0 };

const addStock = (
  businessId: string,
  variants: readonly VariantDocument[],
  rows: readonly StockRow[] | null,
): Variant[] => variants.map((variant) => withStock(businessId, variant, rows ?? []));

function withStock(businessId: string, variant: VariantDocument, rows: readonly StockRow[]): Variant {
  const row = rows.find(([id]) => id === variant.id);
  if (!row) return Object.assign({}, variant, { businessId, inventory: untrackedInventory });
  const [, sku, tracked, quantity, lowStockThreshold] = row;
  return Object.assign({}, variant, {
    businessId,
    sku: sku ?? undefined,
    inventory: { tracked, quantity, lowStockThreshold: lowStockThreshold ?? undefined },
  });
}
