/** Changes the stock of a variant by a difference: counts that people make beside sales that go on. */

import type { Context } from '../../../context.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { maxStockQuantity } from '../model.ts';
import type { AdjustStockArgs } from '../schemas.ts';
import { lockProduct } from '../write/lock-product.ts';
import type { StockMovement } from './ledger.ts';
import { moveStock } from './move-stock.ts';

export function adjustStock(
  ctx: Context,
  { businessId, id, input }: AdjustStockArgs,
): Promise<StockMovement> {
  return runIdempotent(ctx, 'adjustStock', { businessId, id, input }, (queries) =>
    queries.transaction(async (tx) => {
      const product = await lockProduct(tx, businessId, id);
      if (!product) throw notFoundError('Product');
      const variant = product.variants.find((one) => one.id === input.variantId);
      if (!variant) throw noVariant();
      const { tracked, quantity } = variant.inventory;
      if (!tracked) throw notTracked();
      if (quantity + input.change > maxStockQuantity) throw tooMuch();
      const move = { productId: product.id, variantId: variant.id, delta: input.change, field: 'change' };
      const { movements } = await moveStock(tx, businessId, [move], {
        kind: 'ADJUSTMENT',
        reason: input.reason,
        userId: ctx.viewer.user?.userId,
      });
      const [movement] = movements;
      if (!movement) throw new Error('Stock was locked, and did not move.');
      return movement;
    }),
  );
}

const noVariant = () =>
  validationError({
    field: 'variantId',
    error: 'VARIANT_NOT_FOUND',
    message: 'This product has no such variant.',
  });

const notTracked = () =>
  validationError({
    field: 'variantId',
    error: 'STOCK_NOT_TRACKED',
    message: 'The stock of this variant is unlimited.',
  });

const tooMuch = () =>
  validationError({ field: 'change', error: 'TOO_BIG', message: `Stock goes up to ${maxStockQuantity}.` });
