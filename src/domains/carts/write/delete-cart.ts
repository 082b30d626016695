/** Deletes the viewer's cart. */
import type { Context } from '../../../context.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { deleteStoredCart, lockCart, requireCartOwner } from './cart-store.ts';
import type { OwnCartArgs } from './change-cart.ts';

export const deleteOwnCart = (ctx: Context, { businessId, version }: OwnCartArgs): Promise<{ id: string }> =>
  ctx.db.transaction(async (tx) => {
    const cart = await lockCart(tx, businessId, requireCartOwner(ctx));
    assertVersion(cart.version, version);
    await deleteStoredCart(tx, cart);
    return { id: cart.id };
  });
