/** Changes the fields that were sent. The product's row is the lock for its variants and stock. */

import type { Context } from '../../context.ts';
import { describeDbError } from '../../db/errors.ts';
import type { Queries } from '../../db/sql.ts';
import { notFound } from '../../errors.ts';
import { defined } from '../../lib/objects.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { appendStatuses, requestedStatuses, stampFor } from '../shared/history.ts';
import { fitting } from '../shared/record-size.ts';
import { changeAndAnnounce } from '../webhooks/announce.ts';
import type { UpdateProduct } from './checks.ts';
import { productEvent } from './events.ts';
import { expectNamed } from './expect-named.ts';
import { movements, movementsBetween, type StockMovement } from './ledger.ts';
import { lockProduct } from './lock-product.ts';
import { type Product, products, stock, stockOf } from './model.ts';
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
      await expectNamed(ctx, tx, businessId, input, current.variants);
      const changed = apply(ctx, current, input);
      await save(ctx, tx, changed);
      if (input.variants)
        await saveStock(tx, changed, movementsBetween(current, changed, ctx.viewer.user?.userId));
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
  const { status, statuses, variants, ...fields } = input;
  return {
    ...current,
    ...defined(fields),
    variants: variants ? replaceVariants(current, variants) : current.variants,
    statuses: appendStatuses(current.statuses, requestedStatuses({ status, statuses }), stampFor(ctx.viewer)),
    version: ctx.db.nextVersion(current.version),
    updatedAt: now(),
  };
}

const save = (ctx: Context, tx: Queries, product: Product) =>
  changeAndAnnounce(ctx, tx, {
    statement: `${products.update} returning id`,
    params: fitting(products.updateParams(product)),
    businessId: product.businessId,
    events: [productEvent('product.updated', product)],
  });

const stockStatement = `with movements as (${movements.insertRows('$2')})
  ${stock.insertRows('$1')} on conflict on constraint variants_pkey do update set ${stock.excluded}`;

async function saveStock(tx: Queries, product: Product, moved: StockMovement[]) {
  const variants = stockOf(product);
  const rows = stock.rowsParam(variants);
  // SKUs that another variant of the product gets are released first: two of them can trade theirs.
  await tx.sql(
    `update variants v set sku = null from jsonb_populate_recordset(null::variants, $2::jsonb) n
     where v.business_id = $3 and v.product_id = $1 and n.sku = v.sku and n.id <> v.id`,
    [product.id, rows, product.businessId],
  );
  await tx.sql('delete from variants where business_id = $3 and product_id = $1 and id <> all($2::uuid[])', [
    product.id,
    variants.map(({ id }) => id),
    product.businessId,
  ]);
  await tx.sql(stockStatement, [rows, movements.rowsParam(moved)]);
}
