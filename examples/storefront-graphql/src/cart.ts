/** The visitor's cart: every change answers the whole of it, priced anew, and whoever shows it is told. */
import { NotFoundError } from 'duet-client-graphql';
import { ask, businessId } from './gateway.ts';
import {
  AddLineDocument,
  BuyDocument,
  type CartPartsFragment,
  ChangeCartDocument,
  ChangeLineDocument,
  MyCartDocument,
  OpenCartDocument,
  RemoveLineDocument,
  TakeGuestCartDocument,
  type UpdateCartInput,
} from './generated/graphql';
import { market, shippingTo } from './shop-data.ts';

export type Cart = CartPartsFragment;

let cart: Cart | undefined;
const listeners = new Set<(cart: Cart | undefined) => void>();

function set(next: Cart | null | undefined): Cart | undefined {
  cart = next ?? undefined;
  for (const tell of listeners) tell(cart);
  return cart;
}

/** Tells now, and after every change until the signal. */
export function onCart(tell: (cart: Cart | undefined) => void, signal?: AbortSignal): void {
  if (signal?.aborted) return;
  listeners.add(tell);
  signal?.addEventListener('abort', () => listeners.delete(tell));
  tell(cart);
}

export const load = async () => set((await ask(MyCartDocument, { businessId })).myCart);

async function open(): Promise<void> {
  const code = await market();
  const [first] = await shippingTo(code);
  const input = { market: code, ...(first ? { shippingMethodId: first.id } : {}) };
  set((await ask(OpenCartDocument, { businessId, input })).openCart.cart);
}

/** The key makes it safe to send again, so that a lost answer does not add twice. */
export async function add(productId: string, variantId: string, quantity: number): Promise<void> {
  if (!cart) await open();
  const input = { productId, variantId, quantity };
  set((await ask(AddLineDocument, { businessId, input }, { idempotencyKey: true })).addCartLine.cart);
}

export const setQuantity = async (lineId: string, quantity: number) =>
  set((await ask(ChangeLineDocument, { businessId, lineId, quantity })).updateCartLine.cart);

export const remove = async (lineId: string) =>
  set((await ask(RemoveLineDocument, { businessId, lineId })).removeCartLine.cart);

export const change = async (input: UpdateCartInput) =>
  set((await ask(ChangeCartDocument, { businessId, input })).updateCart.cart);

/** What somebody put into a cart before they signed in is theirs. */
export async function takeGuestCart(guestToken: string): Promise<void> {
  try {
    set((await ask(TakeGuestCartDocument, { businessId, guestToken })).mergeCart.cart);
  } catch (error) {
    // Neither of them had one.
    if (!(error instanceof NotFoundError)) throw error;
    set(undefined);
  }
}

/** Orders what is in the cart; the answer says where to pay. */
export async function buy() {
  const back = `${location.origin}/order`;
  const input = { returnUrl: back, cancelUrl: back, locale: navigator.language };
  const { checkoutCart } = await ask(BuyDocument, { businessId, input }, { idempotencyKey: true });
  set(undefined);
  return checkoutCart;
}

export const countIn = (of: Cart | undefined) =>
  of?.lines.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
