/** Cart of the visitor. Every change returns the whole cart with current prices and notifies the listeners. */
import { NotFoundError } from '@duet-gateway/client-graphql';
import { businessId, run } from './gateway.ts';
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
import { pathTo } from './lib/paths.ts';
import { market, shippingMethodsFor } from './shop-data.ts';

export type Cart = CartPartsFragment;

let cart: Cart | undefined;
const listeners = new Set<(cart: Cart | undefined) => void>();

function set(next: Cart | null | undefined): Cart | undefined {
  cart = next ?? undefined;
  for (const listener of listeners) listener(cart);
  return cart;
}

/** Calls the listener at once, and after every change until the signal is aborted. */
export function onCart(listener: (cart: Cart | undefined) => void, signal?: AbortSignal): void {
  if (signal?.aborted) return;
  listeners.add(listener);
  signal?.addEventListener('abort', () => listeners.delete(listener));
  listener(cart);
}

export const load = async () => set((await run(MyCartDocument, { businessId })).myCart);

async function open(): Promise<void> {
  const code = await market();
  const [first] = await shippingMethodsFor(code);
  const input = { market: code, ...(first ? { shippingMethodId: first.id } : {}) };
  set((await run(OpenCartDocument, { businessId, input })).openCart.cart);
}

/** Sends an idempotency key, so that a retry after a lost response does not add the product twice. */
export async function add(productId: string, variantId: string, quantity: number): Promise<void> {
  if (!cart) await open();
  const input = { productId, variantId, quantity };
  set((await run(AddLineDocument, { businessId, input }, { idempotencyKey: true })).addCartLine.cart);
}

export const setQuantity = async (lineId: string, quantity: number) =>
  set((await run(ChangeLineDocument, { businessId, lineId, quantity })).updateCartLine.cart);

export const remove = async (lineId: string) =>
  set((await run(RemoveLineDocument, { businessId, lineId })).removeCartLine.cart);

export const change = async (input: UpdateCartInput) =>
  set((await run(ChangeCartDocument, { businessId, input })).updateCart.cart);

/** Merges the cart of the guest, who has signed in, into the cart of the account. */
export async function mergeGuestCart(guestToken: string): Promise<void> {
  try {
    set((await run(TakeGuestCartDocument, { businessId, guestToken })).mergeCart.cart);
  } catch (error) {
    // Neither the guest nor the account had a cart.
    if (!(error instanceof NotFoundError)) throw error;
    set(undefined);
  }
}

/** Places the order; the result has the URL of the payment page. */
export async function buy() {
  const back = location.origin + pathTo('/order');
  const input = { returnUrl: back, cancelUrl: back, locale: navigator.language };
  const { checkoutCart } = await run(BuyDocument, { businessId, input }, { idempotencyKey: true });
  set(undefined);
  return checkoutCart;
}

export const countUnits = (current: Cart | undefined) =>
  current?.lines.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
