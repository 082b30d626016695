/** Merges the cart of a guest into the cart of the signed-in viewer. The access token of the guest proves its ownership. */
import { authenticateOrAnonymous } from '../../../auth/viewer-and-authentication.ts';
import type { Context } from '../../../context.ts';
import { notFoundError, validationError } from '../../../errors.ts';
import { isId, newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { mergeCartContent } from '../cart-limits-and-merging.ts';
import { type CartWithLazyPrices, toCartWithLazyPrices } from '../read/cart-with-lazy-prices.ts';
import type { MergeCartArgs } from '../schemas.ts';
import { priceAndSaveCart } from './change-own-cart.ts';
import { lockCarts, requireCartOwnerId } from './find-and-lock-cart.ts';
import { deleteStoredCart, insertCart } from './insert-save-and-delete-cart.ts';

/** A second call changes nothing, because the guest's cart was deleted by the first. */
export async function mergeCart(
  ctx: Context,
  { businessId, input }: MergeCartArgs,
): Promise<CartWithLazyPrices> {
  const customerId = requireCartOwnerId(ctx);
  const guestId = await requireGuestId(ctx, input.guestToken);
  if (!isId(businessId)) throw notFoundError('Cart');
  return ctx.db.transaction(async (tx) => {
    const lockedCarts = await lockCarts(tx, businessId, [customerId, guestId]);
    const guestCart = lockedCarts.find((cart) => cart.customerId === guestId);
    const ownCart = lockedCarts.find((cart) => cart.customerId === customerId);
    if (!guestCart) {
      if (!ownCart) throw notFoundError('Cart');
      return toCartWithLazyPrices(ctx.db, ownCart);
    }
    await deleteStoredCart(tx, guestCart);
    if (ownCart) return priceAndSaveCart(ctx, tx, ownCart, { cart: mergeCartContent(ownCart, guestCart) });
    const movedCart = { ...guestCart, id: newId(), customerId, version: 1, updatedAt: now() };
    if (await insertCart(tx, movedCart)) return toCartWithLazyPrices(ctx.db, movedCart);
    // A concurrent request of the same customer has opened a cart.
    const [openedCart] = await lockCarts(tx, businessId, [customerId]);
    if (!openedCart) throw notFoundError('Cart');
    return priceAndSaveCart(ctx, tx, openedCart, { cart: mergeCartContent(openedCart, guestCart) });
  });
}

async function requireGuestId(ctx: Context, token: string): Promise<string> {
  const { user } = await authenticateOrAnonymous(ctx, {
    authorization: `Bearer ${token}`,
    apiKey: undefined,
  });
  if (!user?.isGuest)
    throw validationError('guestToken', 'INVALID_TOKEN', 'Not a valid access token of a guest.');
  return user.userId;
}
