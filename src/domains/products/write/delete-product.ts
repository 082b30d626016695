/** Deletes a product with its variants and stock. Orders are unaffected: their lines are a snapshot. */
import type { Context } from '../../../context.ts';
import { notFoundError } from '../../../errors.ts';
import { assertExpectedVersion, type DeleteRecordArgs } from '../../../lib/optimistic-locking.ts';
import { runStatementAndEmitWebhookEvents } from '../../webhooks/emit-events.ts';
import { buildProductEvent } from '../build-events.ts';
import { lockProductByIdOrSlug } from './lock-product.ts';

export async function deleteProduct(
  ctx: Context,
  { businessId, id, version }: DeleteRecordArgs,
): Promise<{ id: string }> {
  return ctx.db.transaction(async (tx) => {
    const product = await lockProductByIdOrSlug(tx, businessId, id);
    if (!product) throw notFoundError('Product');
    assertExpectedVersion(product.version, version);
    await runStatementAndEmitWebhookEvents(ctx, tx, {
      statement: 'delete from products where business_id = $1 and id = $2 returning id',
      params: [product.businessId, product.id],
      businessId: product.businessId,
      events: [buildProductEvent('product.deleted', product)],
    });
    return { id: product.id };
  });
}
