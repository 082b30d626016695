/** Opens the viewer's cart, and changes what is not a line of it: market, address, shipping method, promo code, note. */
import { assertBusinessExists } from '../../../auth/assert-business.ts';
import type { Context } from '../../../context.ts';
import type { ErrorDetail } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { type CheckoutAddresses, resolveAddresses } from '../../checkout/addresses.ts';
import { normalizeMarketCode } from '../../pricing/variant-pricing.ts';
import type { StoredCart } from '../model.ts';
import type { CartView } from '../read/cart-view.ts';
import type { OpenCartArgs, UpdateCartArgs } from '../schemas.ts';
import { insertCart, lockCart, requireCartOwner } from './cart-store.ts';
import { type CartChange, changeCart, priceAndSaveCart } from './change-cart.ts';

/** The cart that is open already is changed instead. */
export async function openCart(ctx: Context, { businessId, input }: OpenCartArgs): Promise<CartView> {
  await assertBusinessExists(ctx, businessId);
  const addresses = await resolveAddresses(ctx, ctx.db, input);
  return ctx.db.transaction(async (tx) => {
    const customerId = requireCartOwner(ctx);
    const time = now();
    const { market } = input;
    const stamps = { version: 0, createdAt: time, updatedAt: time };
    await insertCart(tx, { id: newId(), businessId, customerId, market, lines: [], blocks: [], ...stamps });
    const cart = await lockCart(tx, businessId, customerId);
    return priceAndSaveCart(ctx, tx, cart, withFields(cart, input, addresses));
  });
}

export async function updateCart(ctx: Context, { input, ...at }: UpdateCartArgs): Promise<CartView> {
  const addresses = await resolveAddresses(ctx, ctx.db, input);
  return changeCart(ctx, at, (cart) => withFields(cart, input, addresses));
}

function withFields(
  cart: StoredCart,
  input: UpdateCartArgs['input'],
  addresses: CheckoutAddresses,
): CartChange {
  const { market = cart.market, blocks = cart.blocks } = input;
  return {
    cart: {
      ...cart,
      market,
      blocks,
      ...addresses,
      note: sentOr(input.note, cart.note),
      promoCode: sentOr(input.promoCode, cart.promoCode),
      shippingMethodId: sentOr(input.shippingMethodId, cart.shippingMethodId),
    },
    findErrors: (problems) => problems.filter((problem) => isOwnFault(problem, input)),
    // Prices of another market are no change of price.
    isPriceSeen: () => normalizeMarketCode(market) !== normalizeMarketCode(cart.market),
  };
}

/** An empty text takes the value away. */
const sentOr = (sent: string | undefined, kept: string | undefined): string | undefined =>
  sent === undefined ? kept : sent || undefined;

/** A promo code may be given before the cart is full enough for it, and a shipping method may be chosen last. */
const patient = new Set<string>(['PROMO_CODE_MINIMUM_NOT_MET', 'SHIPPING_METHOD_REQUIRED']);

const isOwnFault = ({ field, error }: ErrorDetail, input: UpdateCartArgs['input']): boolean =>
  Object.entries(input).some(([name, value]) => name === field && value !== undefined) && !patient.has(error);
