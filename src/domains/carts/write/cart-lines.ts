/** Lines of the viewer's cart: added, changed, removed. What is out of stock may be in a cart; what is not sold may not come in. */
import type { Context } from '../../../context.ts';
import { type ErrorDetail, notFoundError } from '../../../errors.ts';
import { runIdempotentStoring } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import type { StoredCart, StoredCartLine } from '../model.ts';
import type { CartView } from '../read/cart-view.ts';
import { findOwnCart } from '../read/find-cart.ts';
import { addToCartLines, isSameCartLine } from '../rules.ts';
import type { AddCartLineArgs, UpdateCartLineArgs } from '../schemas.ts';
import { lockCart, requireCartOwner } from './cart-store.ts';
import { type CartChange, changeCart, type OwnCartArgs, priceAndSaveCart } from './change-cart.ts';

/** Repeated under its key it adds nothing, and answers the cart as it is by then. */
export async function addCartLine(
  ctx: Context,
  { businessId, version, input }: AddCartLineArgs,
): Promise<CartView> {
  const outcome = await runIdempotentStoring(
    ctx,
    'addCartLine',
    { businessId, input },
    (queries) =>
      queries.transaction(async (tx) => {
        const cart = await lockCart(tx, businessId, requireCartOwner(ctx));
        assertVersion(cart.version, version);
        return priceAndSaveCart(ctx, tx, cart, withAdded(cart, input));
      }),
    ({ id }) => ({ id }),
  );
  const cart = outcome.isNew ? outcome.result : await findOwnCart(ctx, { businessId });
  if (!cart) throw notFoundError('Cart');
  return cart;
}

function withAdded(cart: StoredCart, { blocks = [], ...input }: AddCartLineArgs['input']): CartChange {
  const { productId, variantId, quantity } = input;
  const line = { id: newId(), productId, variantId, quantity, blocks, name: '', addedAt: now() };
  const lines = addToCartLines(cart.lines, [line]);
  const place = lines.findIndex((one) => isSameCartLine(one, line));
  return {
    cart: { ...cart, lines },
    findErrors: faultsAt(place),
    isPriceSeen: (one) => isSameCartLine(one, line),
  };
}

export const updateCartLine = (
  ctx: Context,
  { lineId, input, ...at }: UpdateCartLineArgs,
): Promise<CartView> =>
  changeCart(ctx, at, (cart) => {
    const place = placeOf(cart, lineId);
    const lines = cart.lines.map((line, index): StoredCartLine => {
      const { quantity = line.quantity, blocks = line.blocks } = input;
      return index === place ? { ...line, quantity, blocks } : line;
    });
    return { cart: { ...cart, lines }, findErrors: faultsAt(place), isPriceSeen: ({ id }) => id === lineId };
  });

/** Whatever is wrong with it, it can be taken out. */
export const removeCartLine = (
  ctx: Context,
  { lineId, ...at }: OwnCartArgs & { lineId: string },
): Promise<CartView> =>
  changeCart(ctx, at, (cart) => {
    const place = placeOf(cart, lineId);
    return { cart: { ...cart, lines: cart.lines.filter((_line, index) => index !== place) } };
  });

function placeOf({ lines }: StoredCart, lineId: string): number {
  const place = lines.findIndex(({ id }) => id === lineId.toLowerCase());
  if (place < 0) throw notFoundError('Cart line');
  return place;
}

/** The problems of one line, by the fields that its request has. */
const faultsAt =
  (place: number) =>
  (problems: readonly ErrorDetail[]): ErrorDetail[] => {
    const path = `lines.${place}`;
    return problems.flatMap((problem): ErrorDetail[] => {
      if (problem.error === 'AMOUNT_TOO_LARGE') return [{ ...problem, field: 'quantity' }];
      if (problem.error === 'OUT_OF_STOCK') return [];
      if (problem.field === path) return [{ ...problem, field: 'variantId' }];
      return problem.field.startsWith(`${path}.`)
        ? [{ ...problem, field: problem.field.slice(path.length + 1) }]
        : [];
    });
  };
