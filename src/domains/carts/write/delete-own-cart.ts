/** Deletes the viewer's cart. */
import type { Context } from '../../../context.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import type { OwnCartArgs } from './change-own-cart.ts';
import { lockCart, requireCartOwnerId } from './find-and-lock-cart.ts';
import { deleteStoredCart } from './insert-save-and-delete-cart.ts';

export const deleteOwnCart = (ctx: Context, { businessId, version }: OwnCartArgs): Promise<{ id: string }> =>
  ctx.db.transaction(async (tx) => {
    const cart = await lockCart(tx, businessId, requireCartOwnerId(ctx));
    assertExpectedVersion(cart.version, version);
    await deleteStoredCart(tx, cart);
    return { id: cart.id };
  });
