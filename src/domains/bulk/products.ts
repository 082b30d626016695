/** Products as lines: found by id, then by slug, and otherwise new. */
import type { Context } from '../../context.ts';
import { isId } from '../../lib/ids.ts';
import { parse } from '../../lib/input.ts';
import { createProductCheck, updateProductCheck } from '../products/checks.ts';
import { createProduct } from '../products/create-product.ts';
import { productFilterCheck } from '../products/find-checks.ts';
import { findByAddress } from '../products/find-product.ts';
import { listProducts } from '../products/list-products.ts';
import type { Product } from '../products/model.ts';
import { updateProduct } from '../products/update-product.ts';
import { type Fields, pageOfLines, type Resource } from './resource.ts';

export const products: Resource = {
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
    pageOfLines(listProducts(ctx, productFilterCheck.parse({ businessId, ...args })), lineOf),
  async apply({ ctx, reading, fields: { id, ...input } }, { businessId }) {
    const current = await findCurrent(reading, businessId, id, input.slug);
    if (!current) return createProduct(ctx, parse(createProductCheck, { businessId, input }));
    const changes = { ...input, variants: withKnownIds(input.variants, current) };
    return updateProduct(ctx, parse(updateProductCheck, { businessId, id: current.id, input: changes }));
  },
};

const lineOf = ({ statuses, businessId: _business, version: _version, ...product }: Product): Fields => ({
  ...product,
  status: statuses.at(-1)?.status,
});

async function findCurrent(ctx: Context, businessId: string, id: unknown, slug: unknown) {
  const known = typeof id === 'string' && isId(id) ? await findByAddress(ctx, { businessId, id }) : undefined;
  if (known || typeof slug !== 'string') return known;
  const found = await findByAddress(ctx, { businessId, id: slug });
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
