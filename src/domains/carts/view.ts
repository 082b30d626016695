/** A cart as callers see it: what is kept, and what that costs now, asked at most once and only when somebody wants to know. */
import type { Queries } from '../../db/sql.ts';
import { type AssessedLine, type Assessment, assessCart } from '../checkout/assess.ts';
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
  cart.lines.map((line, place) => ({ ...line, businessId: cart.businessId, cart, place }));

/** Undefined when it is no longer sold. */
export const lineNow = async ({ cart, place }: LineView): Promise<AssessedLine | undefined> =>
  (await cart.now()).lines[place];

export const assess = (queries: Queries, cart: KeptCart): Promise<Assessment> =>
  assessCart(queries, { ...cart, field: 'lines' });

export function viewOf(queries: Queries, cart: KeptCart, known?: Assessment): CartView {
  let asked: Promise<Assessment> | undefined = known && Promise.resolve(known);
  return {
    ...cart,
    now() {
      asked ??= assess(queries, cart);
      return asked;
    },
  };
}
