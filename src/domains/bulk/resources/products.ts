/** Products as lines: found by id, then by slug, and otherwise new. */
import type { Context } from '../../../context.ts';
import { isId } from '../../../lib/ids.ts';
import { parseInput } from '../../../lib/validation/input.ts';
import type { Product } from '../../products/model.ts';
import { findProductByIdOrSlug } from '../../products/read/find-product.ts';
import { listProducts } from '../../products/read/list-products.ts';
import { createProductSchema, updateProductSchema } from '../../products/schemas.ts';
import { productListSchema } from '../../products/search/schemas.ts';
import { createProduct } from '../../products/write/create-product.ts';
import { updateProduct } from '../../products/write/update-product.ts';
import { type RecordFields, type ResourceHandler, toRecordFieldsPage } from './resource-handler.ts';

export const productResourceHandler: ResourceHandler = {
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
    createdAt: 'onlyTold',
    updatedAt: 'onlyTold',
  },
  page: (ctx, { businessId }, args) =>
    toRecordFieldsPage(listProducts(ctx, productListSchema.parse({ businessId, ...args })), lineOf),
  async apply({ ctx, readCtx: reading, fields: { id, ...input } }, { businessId }) {
    const current = await findCurrent(reading, businessId, id, input.slug);
    if (!current) return createProduct(ctx, parseInput(createProductSchema, { businessId, input }));
    const changes = { ...input, variants: withKnownIds(input.variants, current) };
    return updateProduct(
      ctx,
      parseInput(updateProductSchema, { businessId, id: current.id, input: changes }),
    );
  },
};

const lineOf = ({
  statuses,
  businessId: _business,
  version: _version,
  ...product
}: Product): RecordFields => ({
  ...product,
  status: statuses.at(-1)?.status,
});

async function findCurrent(ctx: Context, businessId: string, id: unknown, slug: unknown) {
  const known =
    typeof id === 'string' && isId(id) ? await findProductByIdOrSlug(ctx, { businessId, id }) : undefined;
  if (known || typeof slug !== 'string') return known;
  const found = await findProductByIdOrSlug(ctx, { businessId, id: slug });
  // What looks like an id is one to whoever looks it up.
  return found?.slug === slug ? found : undefined;
}

/** Variants without an id of this product keep the identity of the one that has their SKU. */
function withKnownIds(sent: unknown, { variants }: Product): unknown {
  if (!Array.isArray(sent)) return sent;
  const ids = new Set(variants.map(({ id }) => id));
  const bySku = new Map(variants.flatMap(({ id, sku }) => (sku === undefined ? [] : [[sku, id]])));
  return sent.map((variant: unknown) => {
    if (typeof variant !== 'object' || variant === null) return variant;
    const { id, ...rest } = variant as { id?: unknown; sku?: unknown };
    if (typeof id === 'string' && ids.has(id)) return variant;
    const kept = typeof rest.sku === 'string' ? bySku.get(rest.sku) : undefined;
    return kept === undefined ? variant : { ...rest, id: kept };
  });
}
