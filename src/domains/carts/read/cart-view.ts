/** A cart as callers see it: what is kept, and what that costs now, asked at most once and only when somebody wants to know. */
import type { Queries } from '../../../db/handles.ts';
import { type CartEvaluation, type EvaluatedLine, evaluateCart } from '../../checkout/evaluate-cart.ts';
import { evaluateCarts } from '../../checkout/evaluate-carts.ts';
import type { StoredCart, StoredCartLine } from '../model.ts';

export interface CartView extends StoredCart {
  assess(): Promise<CartEvaluation>;
}

/** A line with its place in the cart. */
export interface CartLineView extends StoredCartLine {
  businessId: string;
  cart: CartView;
  index: number;
}

export const toCartLineViews = (cart: CartView): CartLineView[] =>
  cart.lines.map((line, index) => ({ businessId: cart.businessId, cart, index, ...line }));

/** Undefined when it is no longer sold. */
export const assessCartLine = async ({ cart, index }: CartLineView): Promise<EvaluatedLine | undefined> =>
  (await cart.assess()).lines[index];

const requestOf = (cart: StoredCart) => ({ field: 'lines' as const, ...cart });

export const assessStoredCart = (queries: Queries, cart: StoredCart): Promise<CartEvaluation> =>
  evaluateCart(queries, requestOf(cart));

export function toCartView(queries: Queries, cart: StoredCart, known?: CartEvaluation): CartView {
  let asked: Promise<CartEvaluation> | undefined = known && Promise.resolve(known);
  return {
    assess() {
      asked ??= assessStoredCart(queries, cart);
      return asked;
    },
    ...cart,
  };
}

/** Carts that are answered together are priced together, as soon as one of them is to be. */
export function toCartViews(queries: Queries, all: readonly StoredCart[]): CartView[] {
  let asked: ReturnType<typeof evaluateCarts> | undefined;
  return all.map((cart, place) => {
    let own: Promise<CartEvaluation> | undefined;
    return {
      assess() {
        asked ??= evaluateCarts(queries, all.map(requestOf));
        own ??= asked.then((assessmentAt) => assessmentAt(place));
        return own;
      },
      ...cart,
    };
  });
}
