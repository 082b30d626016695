/** Makes the cart that somebody filled as a guest a part of their own, once they have signed in. The guest's token proves whose it was. */
import { authenticate } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { invalid, notFound } from '../../errors.ts';
import { isId, newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { settle } from './change-cart.ts';
import type { MergeCart } from './checks.ts';
import { merged } from './rules.ts';
import { deleteCart, insertCart, lockCarts, ownerOf } from './store.ts';
import { type CartView, viewOf } from './view.ts';

/** Asked again it changes nothing: the guest's cart is gone by then. */
export async function mergeCart(ctx: Context, { businessId, input }: MergeCart): Promise<CartView> {
  const customerId = ownerOf(ctx);
  const guestId = await guestOf(ctx, input.guestToken);
  if (!isId(businessId)) throw notFound('Cart');
  return ctx.db.transaction(async (tx) => {
    const found = await lockCarts(tx, businessId, [customerId, guestId]);
    const guests = found.find((cart) => cart.customerId === guestId);
    const own = found.find((cart) => cart.customerId === customerId);
    if (!guests) {
      if (!own) throw notFound('Cart');
      return viewOf(ctx.db, own);
    }
    await deleteCart(tx, guests);
    if (own) return settle(ctx, tx, own, { cart: merged(own, guests) });
    const moved = { ...guests, id: newId(), customerId, version: 1, updatedAt: now() };
    if (await insertCart(tx, moved)) return viewOf(ctx.db, moved);
    // Somebody opened one in this moment; it is theirs as well.
    const [opened] = await lockCarts(tx, businessId, [customerId]);
    if (!opened) throw notFound('Cart');
    return settle(ctx, tx, opened, { cart: merged(opened, guests) });
  });
}

async function guestOf(ctx: Context, token: string): Promise<string> {
  const { user } = await authenticate(ctx, { authorization: `Bearer ${token}`, apiKey: undefined });
  if (!user?.isGuest)
    throw invalid({
      field: 'guestToken',
      error: 'INVALID_TOKEN',
      message: 'This is not the token of a guest, or it is no longer valid.',
    });
  return user.userId;
}
