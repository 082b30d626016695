/** Changes the viewer's own cart: locked, changed, priced, refused if it cannot be, saved. */
import type { Context } from '../../../context.ts';
import type { Queries } from '../../../db/handles.ts';
import { type ErrorDetail, validationError } from '../../../errors.ts';
import { assertVersion } from '../../../lib/optimistic-locking.ts';
import type { CartEvaluation } from '../../checkout/evaluate-cart.ts';
import type { StoredCart, StoredCartLine } from '../model.ts';
import { assessStoredCart, type CartView, toCartView } from '../read/cart-view.ts';
import { assertCartLimits } from '../rules.ts';
import { lockCart, requireCartOwner, saveCart } from './cart-store.ts';

export interface OwnCartArgs {
  businessId: string;
  version?: number | undefined;
}

export interface CartChange {
  cart: StoredCart;
  /** Of the problems that the changed cart has, those that are the caller's fault, by the names they have in the request. */
  findErrors?(problems: readonly ErrorDetail[]): ErrorDetail[];
  /** The lines whose price the caller sees now: later prices are held against it. */
  isPriceSeen?(line: StoredCartLine): boolean;
}

export const changeCart = (
  ctx: Context,
  { businessId, version }: OwnCartArgs,
  change: (cart: StoredCart) => CartChange,
): Promise<CartView> =>
  ctx.db.transaction(async (tx) => {
    const before = await lockCart(tx, businessId, requireCartOwner(ctx));
    assertVersion(before.version, version);
    return priceAndSaveCart(ctx, tx, before, change(before));
  });

/** For a cart that is locked. */
export async function priceAndSaveCart(
  ctx: Context,
  tx: Queries,
  before: StoredCart,
  { cart, findErrors: faults, isPriceSeen: seen }: CartChange,
): Promise<CartView> {
  assertCartLimits(cart);
  const assessment = await assessStoredCart(tx, cart);
  const found = faults?.(assessment.problems) ?? [];
  if (found.length > 0) throw validationError(...found);
  const lines = cart.lines.map((line, place) => (seen?.(line) ? noted(line, place, assessment) : line));
  return toCartView(ctx.db, await saveCart(tx, before, { ...cart, lines }), assessment);
}

function noted(line: StoredCartLine, place: number, { lines, currency }: CartEvaluation): StoredCartLine {
  const found = lines[place];
  if (!found) return line;
  const { name, variantName, sku, unitPrice } = found;
  return { ...line, name, variantName, sku, unitPrice, currency };
}
