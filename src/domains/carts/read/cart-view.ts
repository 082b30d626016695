/** Cart views for responses: the stored cart with its current prices, which are evaluated lazily and at most once. */
import type { QueryHandle } from '../../../db/index.ts';
import { type CartEvaluation, type EvaluatedCartLine, evaluateCart } from '../../checkout/evaluate-cart.ts';
import { evaluateCarts } from '../../checkout/evaluate-carts.ts';
import type { StoredCart, StoredCartLine } from '../model.ts';

export interface CartView extends StoredCart {
  evaluate(): Promise<CartEvaluation>;
}

/** Line with its cart and its index in it. */
export interface CartLineView extends StoredCartLine {
  businessId: string;
  cart: CartView;
  index: number;
}

export const toCartLineViews = (cart: CartView): CartLineView[] =>
  cart.lines.map((line, index) => ({ businessId: cart.businessId, cart, index, ...line }));

/** Current price and stock of a line; undefined when the variant is no longer sold. */
export const evaluateCartLine = async ({
  cart,
  index,
}: CartLineView): Promise<EvaluatedCartLine | undefined> => (await cart.evaluate()).lines[index];

const toEvaluationRequest = (cart: StoredCart) => ({ field: 'lines' as const, ...cart });

export const evaluateStoredCart = (queries: QueryHandle, cart: StoredCart): Promise<CartEvaluation> =>
  evaluateCart(queries, toEvaluationRequest(cart));

export function toCartView(queries: QueryHandle, cart: StoredCart, evaluated?: CartEvaluation): CartView {
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
export function toCartViews(queries: QueryHandle, storedCarts: readonly StoredCart[]): CartView[] {
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
