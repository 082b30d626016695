/** Import and export of products. An import updates the product with the id or slug of the line, or creates a new one. */
import type { Context } from '../../../context.ts';
import { isId } from '../../../lib/ids.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import type { Product } from '../../products/model.ts';
import { findProductByIdOrSlug } from '../../products/read/find-product.ts';
import { listProducts } from '../../products/read/list-products.ts';
import { createProductSchema, updateProductSchema } from '../../products/schemas.ts';
import { listProductsSchema } from '../../products/search/schemas.ts';
import { createProduct } from '../../products/write/create-product.ts';
import { findUnknownVariantFields } from '../../products/write/find-unknown-variant-fields.ts';
import { updateProduct } from '../../products/write/update-product.ts';
import { type BulkRecordFields, type BulkResourceHandler, toBulkRecordPage } from './resource-handler.ts';

export const productBulkHandler: BulkResourceHandler = {
  columns: {
    id: 'text',
    slug: 'text',
    name: 'text',
    description: 'text',
    category: 'text',
    status: 'text',
    gallery: 'json',
    variants: 'json',
    blocks: 'json',
    createdAt: 'exportOnly',
    updatedAt: 'exportOnly',
  },
  page: (ctx, { businessId }, args) =>
    toBulkRecordPage(listProducts(ctx, listProductsSchema.parse({ businessId, ...args })), toFields),
  async apply({ ctx, readCtx, fields: { id, ...input } }, { businessId }) {
    const existing = await findExisting(readCtx, businessId, id, input.slug);
    const unknown = findUnknownVariantFields(input.variants);
    if (!existing) return createProduct(ctx, parseInput(createProductSchema, { businessId, input }, unknown));
    const changes = { ...input, variants: withExistingIds(input.variants, existing) };
    return updateProduct(
      ctx,
      parseInput(updateProductSchema, { businessId, id: existing.id, input: changes }, unknown),
    );
  },
};

const toFields = ({
  statuses,
  businessId: _business,
  version: _version,
  ...product
}: Product): BulkRecordFields => ({ ...product, status: statuses.at(-1)?.status });

async function findExisting(ctx: Context, businessId: string, id: unknown, slug: unknown) {
  const byId =
    typeof id === 'string' && isId(id) ? await findProductByIdOrSlug(ctx, { businessId, id }) : undefined;
  if (byId || typeof slug !== 'string') return byId;
  const bySlug = await findProductByIdOrSlug(ctx, { businessId, id: slug });
  // A slug in the form of an id is looked up as an id: the result counts only if its slug matches.
  return bySlug?.slug === slug ? bySlug : undefined;
}

/** Variants whose id does not exist in this product get the id of the existing variant with the same SKU. */
function withExistingIds(variantInputs: unknown, { variants }: Product): unknown {
  if (!Array.isArray(variantInputs)) return variantInputs;
  const ids = new Set(variants.map(({ id }) => id));
  const bySku = new Map(variants.flatMap(({ id, sku }) => (sku === undefined ? [] : [[sku, id]])));
  return variantInputs.map((variant: unknown) => {
    if (typeof variant !== 'object' || variant === null) return variant;
    const { id, ...rest } = variant as { id?: unknown; sku?: unknown };
    if (typeof id === 'string' && ids.has(id)) return variant;
    const existingId = typeof rest.sku === 'string' ? bySku.get(rest.sku) : undefined;
    return existingId === undefined ? variant : { ...rest, id: existingId };
  });
}
