/** Orders what is in the viewer's cart: the transaction that makes the order empties the cart. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { AppError, validationError } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import { purchase } from '../../checkout/checkout.ts';
import type { CheckoutResult } from '../../checkout/model.ts';
import type { CartRestorer } from '../../checkout/roll-back-checkout.ts';
import type { StoredCart } from '../model.ts';
import { assertCartLimits, type CartContent, emptyCart, mergeCartContent } from '../rules.ts';
import type { CheckoutCartArgs } from '../schemas.ts';
import { assertCartSize, insertCart, lockCart, lockCarts, requireCartOwner, saveCart } from './cart-store.ts';
import { cartToOrderBlocks, orderToCartContent } from './order-content.ts';

export function checkoutCart(
  ctx: Context,
  { businessId, version, input }: CheckoutCartArgs,
): Promise<CheckoutResult> {
  const customerId = requireCartOwner(ctx);
  return purchase(ctx, {
    businessId,
    payment: input,
    field: 'lines',
    operation: 'checkoutCart',
    idempotencyArgs: { businessId, input },
    async loadInput(tx) {
      const cart = await lockCart(tx, businessId, customerId);
      assertVersion(cart.version, version);
      if (cart.lines.length === 0) throw nothingToBuy();
      await saveCart(tx, cart, emptyCart(cart));
      const { market, shippingMethodId, promoCode, shippingAddress, billingAddress, lines: items } = cart;
      const content = { market, shippingMethodId, promoCode, shippingAddress, billingAddress, items };
      return { ...input, ...content, blocks: cartToOrderBlocks(cart) };
    },
    restoreCart: reopening(businessId, customerId),
  });
}

/** The cart with what was ordered, or as it is when both together are more than one may hold: the order is taken back all the same. */
export function restoreOrderedContent(kept: StoredCart, ordered: CartContent): StoredCart {
  const joined = mergeCartContent(kept, ordered);
  try {
    assertCartLimits(joined);
    assertCartSize(joined);
    return joined;
  } catch (error) {
    if (error instanceof AppError) return kept;
    throw error;
  }
}

/** What was ordered joins what was put into the cart since; the cart itself may have gone. */
const reopening =
  (businessId: string, customerId: string): CartRestorer =>
  async (tx: Queries) => {
    const [kept] = await lockCarts(tx, businessId, [customerId]);
    return async (order) => {
      const content = orderToCartContent(order, newId);
      const time = now();
      if (kept) await saveCart(tx, kept, restoreOrderedContent(kept, content));
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

const nothingToBuy = () =>
  validationError({ field: 'lines', error: 'TOO_SHORT', message: 'There is nothing in the cart.' });
