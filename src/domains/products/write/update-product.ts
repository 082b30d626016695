/** Updates the fields in the input. The lock on the product row also covers its variants and stock. */
import type { Context } from '../../../context.ts';
import { classifyDbError, type QueryHandle } from '../../../db/index.ts';
import { notFoundError } from '../../../errors.ts';
import { omitUndefined } from '../../../lib/json/plain-objects.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { requireRecordWithinSizeLimit } from '../../shared/record-size-limits.ts';
import {
  appendStatusChanges,
  createStatusHistoryEntryBuilder,
  toStatusChanges,
} from '../../shared/status-history.ts';
import { runStatementAndEmitWebhookEvents } from '../../webhooks/emit-events.ts';
import { buildProductEvent } from '../build-events.ts';
import { buildUpdatedVariants } from '../build-variants.ts';
import { type Product, productTable, toStockRows, variantStockTable } from '../model.ts';
import type { UpdateProductArgs } from '../schemas.ts';
import { buildStockMovementsForEdit, type StockMovement, stockLedgerTable } from '../stock/stock-ledger.ts';
import { lockProductByIdOrSlug } from './lock-product.ts';
import { resolveReferencesInProductInput } from './resolve-references-in-product-input.ts';
import { findSkuTakenError, productSlugTakenError } from './slug-and-sku-taken-errors.ts';

export async function updateProduct(
  ctx: Context,
  { businessId, id, input, version }: UpdateProductArgs,
): Promise<Product> {
  let productId: string | undefined;
  try {
    return await ctx.db.transaction(async (tx) => {
      const current = await lockProductByIdOrSlug(tx, businessId, id);
      if (!current) throw notFoundError('Product');
      productId = current.id;
      assertExpectedVersion(current.version, version);
      const resolved = await resolveReferencesInProductInput(ctx, tx, businessId, input, current.variants);
      const updated = applyInput(ctx, current, resolved);
      await save(ctx, tx, updated);
      if (input.variants)
        await saveStock(tx, updated, buildStockMovementsForEdit(current, updated, ctx.viewer.user?.userId));
      return updated;
    });
  } catch (error) {
    const problem = classifyDbError(error);
    if (problem?.kind === 'unique' && problem.constraint?.includes('slug')) throw productSlugTakenError();
    if (problem?.kind === 'unique' && problem.constraint?.includes('sku')) {
      throw await findSkuTakenError(ctx.db, businessId, productId, input.variants ?? []);
    }
    throw error;
  }
}

function applyInput(
  ctx: Context,
  current: Product,
  input: Omit<UpdateProductArgs['input'], 'categoryId'>,
): Product {
  const { status, statuses, variants, ...fields } = input;
  return {
    ...current,
    ...omitUndefined(fields),
    variants: variants ? buildUpdatedVariants(current, variants) : current.variants,
    statuses: appendStatusChanges(
      current.statuses,
      toStatusChanges({ status, statuses }),
      createStatusHistoryEntryBuilder(ctx.viewer),
    ),
    version: ctx.db.nextVersion(current.version),
    updatedAt: now(),
  };
}

const save = (ctx: Context, tx: QueryHandle, product: Product) =>
  runStatementAndEmitWebhookEvents(ctx, tx, {
    statement: `${productTable.update} returning id`,
    params: requireRecordWithinSizeLimit(productTable.updateParams(product)),
    businessId: product.businessId,
    events: [buildProductEvent('product.updated', product)],
  });

const stockStatement = `with movements as (${stockLedgerTable.insertRows('$2')})
  ${variantStockTable.insertRows('$1')} on conflict on constraint variants_pkey do update set ${variantStockTable.excludedAssignments}`;

async function saveStock(tx: QueryHandle, product: Product, movements: StockMovement[]) {
  const variants = toStockRows(product);
  const rows = variantStockTable.rowsParam(variants);
  // Releases SKUs that move to another variant of the product first, so that two variants can swap SKUs without violating the unique index.
  await tx.write(
    `update variants v set sku = null from jsonb_populate_recordset(null::variants, $2::jsonb) n
     where v.business_id = $3 and v.product_id = $1 and n.sku = v.sku and n.id <> v.id`,
    [product.id, rows, product.businessId],
  );
  await tx.write(
    'delete from variants where business_id = $3 and product_id = $1 and id <> all($2::uuid[])',
    [product.id, variants.map(({ id }) => id), product.businessId],
  );
  await tx.write(stockStatement, [rows, stockLedgerTable.rowsParam(movements)]);
}
