/** Orders what is in the viewer's cart: the transaction that makes the order empties the cart. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { AppError, invalid } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import type { Reopen } from '../checkout/abandon.ts';
import { purchase } from '../checkout/checkout.ts';
import type { CheckoutResult } from '../checkout/model.ts';
import type { CheckoutCart } from './checks.ts';
import type { KeptCart } from './model.ts';
import { contentOf, orderBlocks } from './order-content.ts';
import { type Content, emptied, expectBounds, merged } from './rules.ts';
import { expectShort, insertCart, lockCart, lockCarts, ownerOf, saveCart } from './store.ts';

export function checkoutCart(
  ctx: Context,
  { businessId, version, input }: CheckoutCart,
): Promise<CheckoutResult> {
  const customerId = ownerOf(ctx);
  return purchase(ctx, {
    businessId,
    payment: input,
    field: 'lines',
    operation: 'checkoutCart',
    asked: { businessId, input },
    async take(tx) {
      const cart = await lockCart(tx, businessId, customerId);
      expectVersion(cart.version, version);
      if (cart.lines.length === 0) throw nothingToBuy();
      await saveCart(tx, cart, emptied(cart));
      const { market, shippingMethodId, promoCode, shippingAddress, billingAddress, lines: items } = cart;
      const content = { market, shippingMethodId, promoCode, shippingAddress, billingAddress, items };
      return { ...input, ...content, blocks: orderBlocks(cart) };
    },
    reopen: reopening(businessId, customerId),
  });
}

/** The cart with what was ordered, or as it is when both together are more than one may hold: the order is taken back all the same. */
export function rejoined(kept: KeptCart, ordered: Content): KeptCart {
  const joined = merged(kept, ordered);
  try {
    expectBounds(joined);
    expectShort(joined);
    return joined;
  } catch (error) {
    if (error instanceof AppError) return kept;
    throw error;
  }
}

/** What was ordered joins what was put into the cart since; the cart itself may have gone. */
const reopening =
  (businessId: string, customerId: string): Reopen =>
  async (tx: Queries) => {
    const [kept] = await lockCarts(tx, businessId, [customerId]);
    return async (order) => {
      const content = contentOf(order, newId);
      const time = now();
      if (kept) await saveCart(tx, kept, rejoined(kept, content));
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
  invalid({ field: 'lines', error: 'TOO_SHORT', message: 'There is nothing in the cart.' });
