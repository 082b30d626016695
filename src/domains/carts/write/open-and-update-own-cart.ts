/** Opens the viewer's cart and updates its fields: market, addresses, shipping method, promo code, note, blocks. */
import { assertBusinessExists } from '../../../auth/assert-business-exists.ts';
import type { Context } from '../../../context.ts';
import type { ErrorDetail } from '../../../errors.ts';
import { newId } from '../../../lib/ids.ts';
import { now } from '../../../lib/time.ts';
import { type CheckoutAddresses, resolveCheckoutAddresses } from '../../checkout/checkout-addresses.ts';
import { normalizeMarketCode } from '../../pricing/variant-prices-and-snapshot.ts';
import type { StoredCart } from '../model.ts';
import type { CartWithLazyPrices } from '../read/cart-with-lazy-prices.ts';
import type { OpenCartArgs, UpdateCartArgs } from '../schemas.ts';
import { type CartChange, changeOwnCartInTransaction, priceAndSaveCart } from './change-own-cart.ts';
import { lockCart, requireCartOwnerId } from './find-and-lock-cart.ts';
import { insertCart } from './insert-save-and-delete-cart.ts';

/** Updates the existing cart when the viewer already has one in the business. */
export async function openCart(
  ctx: Context,
  { businessId, input }: OpenCartArgs,
): Promise<CartWithLazyPrices> {
  await assertBusinessExists(ctx, businessId);
  const addresses = await resolveCheckoutAddresses(ctx, ctx.db, input);
  return ctx.db.transaction(async (tx) => {
    const customerId = requireCartOwnerId(ctx);
    const time = now();
    const { market } = input;
    const stamps = { version: 0, createdAt: time, updatedAt: time };
    await insertCart(tx, { id: newId(), businessId, customerId, market, lines: [], blocks: [], ...stamps });
    const cart = await lockCart(tx, businessId, customerId);
    return priceAndSaveCart(ctx, tx, cart, toFieldChange(cart, input, addresses));
  });
}

export async function updateCart(
  ctx: Context,
  { input, ...cartArgs }: UpdateCartArgs,
): Promise<CartWithLazyPrices> {
  const addresses = await resolveCheckoutAddresses(ctx, ctx.db, input);
  return changeOwnCartInTransaction(ctx, cartArgs, (cart) => toFieldChange(cart, input, addresses));
}

function toFieldChange(
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
      ...updateContact(cart, input),
      note: clearOrKeep(input.note, cart.note),
      promoCode: clearOrKeep(input.promoCode, cart.promoCode),
      shippingMethodId: clearOrKeep(input.shippingMethodId, cart.shippingMethodId),
    },
    findErrors: (problems) => problems.filter((problem) => isCausedByInput(problem, input)),
    // A change of market stores the new prices as reference, so that no line reports PRICE_CHANGED.
    isPriceSeen: () => normalizeMarketCode(market) !== normalizeMarketCode(cart.market),
  };
}

/** Another address starts without consent. */
function updateContact(cart: StoredCart, input: UpdateCartArgs['input']) {
  const email = clearOrKeep(input.email, cart.email);
  const currentConsent = email === cart.email ? cart.marketingConsent : undefined;
  return {
    email,
    phone: clearOrKeep(input.phone, cart.phone),
    marketingConsent: email === undefined ? undefined : (input.marketingConsent ?? currentConsent),
  };
}

/** An empty string clears the value; undefined keeps it. */
const clearOrKeep = (requested: string | undefined, current: string | undefined): string | undefined =>
  requested === undefined ? current : requested || undefined;

/** The others do not reject an update: a promo code may be set before the cart reaches its minimum, a shipping method may be chosen last. */
const rejectedProblems: ReadonlySet<string> = new Set([
  'MARKET_NOT_FOUND',
  'PROMO_CODE_EXHAUSTED',
  'PROMO_CODE_EXPIRED',
  'PROMO_CODE_INVALID',
  'SHIPPING_METHOD_NOT_FOUND',
]);

const isCausedByInput = ({ field, error }: ErrorDetail, input: UpdateCartArgs['input']): boolean =>
  Object.entries(input).some(([name, value]) => name === field && value !== undefined) &&
  rejectedProblems.has(error);
