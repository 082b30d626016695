/** Changes the stock of a variant by a difference: counts that people make beside sales that go on. */

import type { Context } from '../../context.ts';
import { invalid, notFound } from '../../errors.ts';
import { once } from '../../idempotency.ts';
import type { AdjustStock } from './checks.ts';
import type { StockMovement } from './ledger.ts';
import { lockProduct } from './lock-product.ts';
import { maxQuantity } from './model.ts';
import { moveStock } from './move-stock.ts';

export function adjustStock(ctx: Context, { businessId, id, input }: AdjustStock): Promise<StockMovement> {
  return once(ctx, 'adjustStock', { businessId, id, input }, (queries) =>
    queries.transaction(async (tx) => {
      const product = await lockProduct(tx, businessId, id);
      if (!product) throw notFound('Product');
      const variant = product.variants.find((one) => one.id === input.variantId);
      if (!variant) throw noVariant();
      const { tracked, quantity } = variant.inventory;
      if (!tracked) throw notTracked();
      if (quantity + input.change > maxQuantity) throw tooMuch();
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
  invalid({
    field: 'variantId',
    error: 'VARIANT_NOT_FOUND',
    message: 'This product has no such variant.',
  });

const notTracked = () =>
  invalid({
    field: 'variantId',
    error: 'STOCK_NOT_TRACKED',
    message: 'The stock of this variant is unlimited.',
  });

const tooMuch = () =>
  invalid({ field: 'change', error: 'TOO_BIG', message: `Stock goes up to ${maxQuantity}.` });
