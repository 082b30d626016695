/** Makes the cart that somebody filled as a guest a part of their own, once they have signed in. The guest's token proves whose it was. */
import { authenticate } from '../../../auth/viewer.ts';
import type { Context } from '../../../context.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { isId, newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { type CartView, toCartView } from '../read/cart-view.ts';
import { mergeCartContent } from '../rules.ts';
import type { MergeCartArgs } from '../schemas.ts';
import { deleteStoredCart, insertCart, lockCarts, requireCartOwner } from './cart-store.ts';
import { priceAndSaveCart } from './change-cart.ts';

/** Asked again it changes nothing: the guest's cart is gone by then. */
export async function mergeCart(ctx: Context, { businessId, input }: MergeCartArgs): Promise<CartView> {
  const customerId = requireCartOwner(ctx);
  const guestId = await guestOf(ctx, input.guestToken);
  if (!isId(businessId)) throw notFoundError('Cart');
  return ctx.db.transaction(async (tx) => {
    const found = await lockCarts(tx, businessId, [customerId, guestId]);
    const guests = found.find((cart) => cart.customerId === guestId);
    const own = found.find((cart) => cart.customerId === customerId);
    if (!guests) {
      if (!own) throw notFoundError('Cart');
      return toCartView(ctx.db, own);
    }
    await deleteStoredCart(tx, guests);
    if (own) return priceAndSaveCart(ctx, tx, own, { cart: mergeCartContent(own, guests) });
    const moved = { ...guests, id: newId(), customerId, version: 1, updatedAt: now() };
    if (await insertCart(tx, moved)) return toCartView(ctx.db, moved);
    // Somebody opened one in this moment; it is theirs as well.
    const [opened] = await lockCarts(tx, businessId, [customerId]);
    if (!opened) throw notFoundError('Cart');
    return priceAndSaveCart(ctx, tx, opened, { cart: mergeCartContent(opened, guests) });
  });
}

async function guestOf(ctx: Context, token: string): Promise<string> {
  const { user } = await authenticate(ctx, { authorization: `Bearer ${token}`, apiKey: undefined });
  if (!user?.isGuest)
    throw validationError({
      field: 'guestToken',
      error: 'INVALID_TOKEN',
      message: 'This is not the token of a guest, or it is no longer valid.',
    });
  return user.userId;
}
