/** Deletes a product with its variants and stock. Orders are unaffected: their lines are a snapshot. */

import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { changeAndEmit } from '../../webhooks/emit-events.ts';
import { productEvent } from '../events.ts';
import { lockProduct } from './lock-product.ts';

export async function deleteProduct(
  ctx: Context,
  { businessId, id, version }: { businessId: string; id: string; version?: number | undefined },
): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    const product = await lockProduct(tx, businessId, id);
    if (!product) throw notFoundError('Product');
    assertVersion(product.version, version);
    await changeAndEmit(ctx, tx, {
      statement: 'delete from products where business_id = $1 and id = $2 returning id',
      params: [product.businessId, product.id],
      businessId: product.businessId,
      events: [productEvent('product.deleted', product)],
    });
    return { id: product.id };
  });
}
