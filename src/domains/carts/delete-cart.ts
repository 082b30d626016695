/** Throws the viewer's own cart away. */
import type { Context } from '../../context.ts';
import { expectVersion } from '../../lib/version.ts';
import type { CartAddress } from './change-cart.ts';
import { deleteCart, lockCart, ownerOf } from './store.ts';

export const deleteOwnCart = (ctx: Context, { businessId, version }: CartAddress): Promise<{ id: string }> =>
  ctx.db.transaction(async (tx) => {
    const cart = await lockCart(tx, businessId, ownerOf(ctx));
    expectVersion(cart.version, version);
    await deleteCart(tx, cart);
    return { id: cart.id };
  });
