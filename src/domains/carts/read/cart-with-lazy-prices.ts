/** Cart views for responses: the stored cart with its current prices, which are evaluated lazily and at most once. */
import type { QueryHandle } from '../../../db/index.ts';
import { type CartEvaluation, type EvaluatedCartLine, evaluateCart } from '../../checkout/evaluate-cart.ts';
import { evaluateCarts } from '../../checkout/evaluate-carts.ts';
import type { StoredCart, StoredCartLine } from '../model.ts';

export interface CartWithLazyPrices extends StoredCart {
  evaluate(): Promise<CartEvaluation>;
}

/** Line with its cart and its index in it. */
export interface CartLineWithCart extends StoredCartLine {
  businessId: string;
  cart: CartWithLazyPrices;
  index: number;
}

export const toCartLinesWithCart = (cart: CartWithLazyPrices): CartLineWithCart[] =>
  cart.lines.map((line, index) => ({ businessId: cart.businessId, cart, index, ...line }));

/** Current price and stock of a line; undefined when the variant is no longer sold. */
export const evaluateCartLine = async ({
  cart,
  index,
}: CartLineWithCart): Promise<EvaluatedCartLine | undefined> => (await cart.evaluate()).lines[index];

const toEvaluationRequest = (cart: StoredCart) => ({ field: 'lines' as const, ...cart });

export const evaluateStoredCart = (queries: QueryHandle, cart: StoredCart): Promise<CartEvaluation> =>
  evaluateCart(queries, toEvaluationRequest(cart));

export function toCartWithLazyPrices(
  queries: QueryHandle,
  cart: StoredCart,
  evaluated?: CartEvaluation,
): CartWithLazyPrices {
  let pending: Promise<CartEvaluation> | undefined = evaluated && Promise.resolve(evaluated);
  return {
    evaluate() {
      pending ??= evaluateStoredCart(queries, cart);
      return pending;
    },
    ...cart,
  };
}

/** Views of several carts: the first evaluation evaluates all of them in one batch. */
export function toCartsWithLazyPrices(
  queries: QueryHandle,
  storedCarts: readonly StoredCart[],
): CartWithLazyPrices[] {
  let pending: ReturnType<typeof evaluateCarts> | undefined;
  return storedCarts.map((cart, index) => {
    let ownPending: Promise<CartEvaluation> | undefined;
    return {
      evaluate() {
        pending ??= evaluateCarts(queries, storedCarts.map(toEvaluationRequest));
        ownPending ??= pending.then((evaluationAt) => evaluationAt(index));
        return ownPending;
      },
      ...cart,
    };
  });
}
