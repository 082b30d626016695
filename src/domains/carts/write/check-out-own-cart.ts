/** Checks out the viewer's cart. The transaction that creates the order empties the cart. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { AppError, validationError } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { runCheckout } from '../../checkout/checkout.ts';
import type { CheckoutResult } from '../../checkout/checkout-data-types.ts';
import type { PrepareCartRestore } from '../../checkout/placement/roll-back-checkout.ts';
import {
  assertCartLimits,
  type CartContent,
  clearCartAfterCheckout,
  mergeCartContent,
} from '../cart-limits-and-merging.ts';
import type { StoredCart } from '../model.ts';
import type { CheckoutCartArgs } from '../schemas.ts';
import { cartToOrderBlocks, orderToCartContent } from './cart-and-order-content-mapping.ts';
import { lockCart, lockCarts, requireCartOwnerId } from './find-and-lock-cart.ts';
import { assertCartSize, insertCart, saveCart } from './insert-save-and-delete-cart.ts';

export function checkoutCart(
  ctx: Context,
  { businessId, version, input }: CheckoutCartArgs,
): Promise<CheckoutResult> {
  const customerId = requireCartOwnerId(ctx);
  return runCheckout(ctx, {
    businessId,
    payment: input,
    field: 'lines',
    operation: 'checkoutCart',
    idempotencyArgs: { businessId, input },
    async loadInput(tx) {
      const cart = await lockCart(tx, businessId, customerId);
      assertExpectedVersion(cart.version, version);
      if (cart.lines.length === 0) throw emptyCartError();
      await saveCart(tx, cart, clearCartAfterCheckout(cart));
      const { market, shippingMethodId, promoCode, shippingAddress, billingAddress, lines: items } = cart;
      const content = { market, shippingMethodId, promoCode, shippingAddress, billingAddress, items };
      const contact = { email: input.email ?? cart.email, phone: input.phone ?? cart.phone };
      return { ...input, ...content, ...contact, blocks: cartToOrderBlocks(cart) };
    },
    restoreCart: createCartRestorer(businessId, customerId),
  });
}

/** Merges the content of a rolled-back order into the cart. Returns the cart unchanged when the result would exceed its limits; the rollback proceeds either way. */
export function mergeOrderContentIntoCartWithinLimits(cart: StoredCart, ordered: CartContent): StoredCart {
  const merged = mergeCartContent(cart, ordered);
  try {
    assertCartLimits(merged);
    assertCartSize(merged);
    return merged;
  } catch (error) {
    if (error instanceof AppError) return cart;
    throw error;
  }
}

/** Puts the content of a rolled-back order into the cart, which may have new lines or may have been deleted since. */
const createCartRestorer =
  (businessId: string, customerId: string): PrepareCartRestore =>
  async (tx: QueryHandle) => {
    const [cart] = await lockCarts(tx, businessId, [customerId]);
    return async (order) => {
      const content = orderToCartContent(order, newId);
      const time = now();
      if (cart) await saveCart(tx, cart, mergeOrderContentIntoCartWithinLimits(cart, content));
      else
        await insertCart(tx, {
          ...content,
          id: newId(),
          businessId,
          customerId,
          version: 1,
          createdAt: time,
          updatedAt: time,
        });
    };
  };

const emptyCartError = () => validationError('lines', 'TOO_SHORT', 'The cart is empty.');
