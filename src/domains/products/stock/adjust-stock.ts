/** Adjusts the stock of a variant by a difference, so that an inventory count does not overwrite concurrent sales. */
import type { Context } from '../../../context.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { runIdempotent } from '../../../idempotency.ts';
import { maxStockQuantity } from '../model.ts';
import type { AdjustStockArgs } from '../schemas.ts';
import { lockProductByIdOrSlug } from '../write/lock-product.ts';
import { moveStock } from './move-stock.ts';
import type { StockMovement } from './stock-ledger.ts';

export function adjustStock(
  ctx: Context,
  { businessId, id, input }: AdjustStockArgs,
): Promise<StockMovement> {
  return runIdempotent(ctx, 'adjustStock', { businessId, id, input }, (queries) =>
    queries.transaction(async (tx) => {
      const product = await lockProductByIdOrSlug(tx, businessId, id);
      if (!product) throw notFoundError('Product');
      const variant = product.variants.find(({ id: variantId }) => variantId === input.variantId);
      if (!variant) throw variantNotFoundError();
      const { tracked, quantity } = variant.inventory;
      if (!tracked) throw stockNotTrackedError();
      if (quantity + input.change > maxStockQuantity) throw stockTooBigError();
      const move = { productId: product.id, variantId: variant.id, delta: input.change, field: 'change' };
      const { movements } = await moveStock(tx, businessId, [move], {
        kind: 'ADJUSTMENT',
        reason: input.reason,
        userId: ctx.viewer.user?.userId,
      });
      const [movement] = movements;
      if (!movement)
        throw new Error('moveStock returned no movement although the variant is tracked and locked.');
      return movement;
    }),
  );
}

const variantNotFoundError = () =>
  validationError('variantId', 'VARIANT_NOT_FOUND', 'The product has no variant with this id.');

const stockNotTrackedError = () =>
  validationError('variantId', 'STOCK_NOT_TRACKED', 'Stock of this variant is not tracked (unlimited).');

const stockTooBigError = () =>
  validationError('change', 'TOO_BIG', `Stock must not exceed ${maxStockQuantity}.`);
