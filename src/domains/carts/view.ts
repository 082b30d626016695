/** A cart as callers see it: what is kept, and what that costs now, asked at most once and only when somebody wants to know. */
import type { Queries } from '../../db/sql.ts';
import { type AssessedLine, type Assessment, assessCart } from '../checkout/assess.ts';
import { assessCarts } from '../checkout/assess-many.ts';
import type { KeptCart, KeptLine } from './model.ts';

export interface CartView extends KeptCart {
  now(): Promise<Assessment>;
}

/** A line with its place in the cart. */
export interface LineView extends KeptLine {
  businessId: string;
  cart: CartView;
  place: number;
}

export const linesOf = (cart: CartView): LineView[] =>
  cart.lines.map((line, place) => ({ businessId: cart.businessId, cart, place, ...line }));

/** Undefined when it is no longer sold. */
export const lineNow = async ({ cart, place }: LineView): Promise<AssessedLine | undefined> =>
  (await cart.now()).lines[place];

const requestOf = (cart: KeptCart) => ({ field: 'lines' as const, ...cart });

export const assess = (queries: Queries, cart: KeptCart): Promise<Assessment> =>
  assessCart(queries, requestOf(cart));

export function viewOf(queries: Queries, cart: KeptCart, known?: Assessment): CartView {
  let asked: Promise<Assessment> | undefined = known && Promise.resolve(known);
  return {
    now() {
      asked ??= assess(queries, cart);
      return asked;
    },
    ...cart,
  };
}

/** Carts that are answered together are priced together, as soon as one of them is to be. */
export function viewsOf(queries: Queries, all: readonly KeptCart[]): CartView[] {
  let asked: ReturnType<typeof assessCarts> | undefined;
  return all.map((cart, place) => {
    let own: Promise<Assessment> | undefined;
    return {
      now() {
        asked ??= assessCarts(queries, all.map(requestOf));
        own ??= asked.then((assessmentAt) => assessmentAt(place));
        return own;
      },
      ...cart,
    };
  });
}
