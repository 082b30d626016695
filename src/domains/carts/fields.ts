/** Opens the viewer's cart, and changes what is not a line of it: market, address, shipping method, promo code, note. */
import { expectBusiness } from '../../auth/expect-business.ts';
import type { Context } from '../../context.ts';
import type { ErrorDetail } from '../../errors.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { type Addresses, chosenAddresses } from '../checkout/addresses.ts';
import { marketKey } from '../pricing/catalogue.ts';
import { type Changed, changeCart, settle } from './change-cart.ts';
import type { OpenCart, UpdateCart } from './checks.ts';
import type { KeptCart } from './model.ts';
import { insertCart, lockCart, ownerOf } from './store.ts';
import type { CartView } from './view.ts';

/** The cart that is open already is changed instead. */
export async function openCart(ctx: Context, { businessId, input }: OpenCart): Promise<CartView> {
  await expectBusiness(ctx, businessId);
  const addresses = await chosenAddresses(ctx, ctx.db, input);
  return ctx.db.transaction(async (tx) => {
    const customerId = ownerOf(ctx);
    const time = now();
    const { market } = input;
    const stamps = { version: 0, createdAt: time, updatedAt: time };
    await insertCart(tx, { id: newId(), businessId, customerId, market, lines: [], blocks: [], ...stamps });
    const cart = await lockCart(tx, businessId, customerId);
    return settle(ctx, tx, cart, withFields(cart, input, addresses));
  });
}

export async function updateCart(ctx: Context, { input, ...at }: UpdateCart): Promise<CartView> {
  const addresses = await chosenAddresses(ctx, ctx.db, input);
  return changeCart(ctx, at, (cart) => withFields(cart, input, addresses));
}

function withFields(cart: KeptCart, input: UpdateCart['input'], addresses: Addresses): Changed {
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
    faults: (problems) => problems.filter((problem) => isOwnFault(problem, input)),
    // Prices of another market are no change of price.
    seen: () => marketKey(market) !== marketKey(cart.market),
  };
}

/** An empty text takes the value away. */
const sentOr = (sent: string | undefined, kept: string | undefined): string | undefined =>
  sent === undefined ? kept : sent || undefined;

/** A promo code may be given before the cart is full enough for it, and a shipping method may be chosen last. */
const patient = new Set<string>(['PROMO_CODE_MINIMUM_NOT_MET', 'SHIPPING_METHOD_REQUIRED']);

const isOwnFault = ({ field, error }: ErrorDetail, input: UpdateCart['input']): boolean =>
  Object.entries(input).some(([name, value]) => name === field && value !== undefined) && !patient.has(error);
