/** Changes the fields that were sent. The product's row is the lock for its variants and stock. */

import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import type { Queries } from '../../db/sql.ts';
import { notFound } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import { changeAndAnnounce } from '../webhooks/announce.ts';
import type { UpdateProduct } from './checks.ts';
import { productEvent } from './events.ts';
import { lockProduct } from './lock-product.ts';
import { type Product, type StockRow, splitVariant } from './model.ts';
import { replaceVariants } from './rules.ts';
import { slugTaken, takenSkus } from './uniqueness.ts';

export async function updateProduct(
  ctx: Context,
  { businessId, id, input, version }: UpdateProduct,
): Promise<Product> {
  let productId: string | undefined;
  try {
    return await ctx.db.transaction(async (tx) => {
      const current = await lockProduct(tx, businessId, id);
      if (!current) throw notFound('Product');
      productId = current.id;
      expectVersion(current.version, version);
      const changed = apply(ctx, current, input);
      await save(ctx, tx, changed);
      if (input.variants) await saveStock(tx, changed);
      return changed;
    });
  } catch (error) {
    const problem = describeDbError(error);
    if (problem?.kind === 'unique' && problem.constraint?.includes('slug')) throw slugTaken();
    if (problem?.kind === 'unique' && problem.constraint?.includes('sku')) {
      throw await takenSkus(ctx.db, businessId, productId, input.variants ?? []);
    }
    throw error;
  }
}

function apply(ctx: Context, current: Product, input: UpdateProduct['input']): Product {
  return {
    ...current,
    name: input.name ?? current.name,
    slug: input.slug ?? current.slug,
    description: input.description ?? current.description,
    category: input.category ?? current.category,
    gallery: input.gallery ?? current.gallery,
    blocks: input.blocks ?? current.blocks,
    variants: input.variants ? replaceVariants(current.variants, input.variants) : current.variants,
    statuses: appendStatuses(current.statuses, requestedStatuses(input), stampFor(ctx.viewer)),
    version: current.version + 1,
    updatedAt: now(),
  };
}

async function save(ctx: Context, tx: Queries, product: Product) {
  const { description, gallery, blocks } = product;
  const document = {
    description,
    gallery,
    blocks,
    variants: product.variants.map((variant) => splitVariant(variant).document),
  };
  await changeAndAnnounce(ctx, tx, {
    statement: `update products set slug = $2, name = $3, category = $4, statuses = $5::jsonb, document = $6::jsonb, version = $7,
       updated_at = $8 where id = $1 returning id`,
    params: [
      product.id,
      product.slug,
      product.name,
      product.category,
      JSON.stringify(product.statuses),
      JSON.stringify(document),
      product.version,
      product.updatedAt,
    ],
    businessId: product.businessId,
    events: [productEvent('product.updated', product)],
  });
}

async function saveStock(tx: Queries, product: Product) {
  const stock: StockRow[] = product.variants.map((variant) => splitVariant(variant).stock);
  // SKUs are released first, so that two variants of one product can trade theirs.
  await tx.sql('update variants set sku = null where product_id = $1', [product.id]);
  await tx.sql('delete from variants where product_id = $1 and id <> all($2::uuid[])', [
    product.id,
    stock.map(([id]) => id),
  ]);
  await tx.sql(
    `insert into variants (id, product_id, business_id, position, sku, tracked, quantity, low_stock_threshold)
     select (v->>0)::uuid, $1, $2, n, v->>1, (v->>2)::boolean, (v->>3)::int, (v->>4)::int
     from jsonb_array_elements($3::jsonb) with ordinality as list(v, n)
     on conflict (id) do update set position = excluded.position, sku = excluded.sku, tracked = excluded.tracked,
       quantity = excluded.quantity, low_stock_threshold = excluded.low_stock_threshold`,
    [product.id, product.businessId, JSON.stringify(stock)],
  );
}
