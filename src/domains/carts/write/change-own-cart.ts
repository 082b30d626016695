/** Applies a change to the viewer's cart: lock, change, price, reject errors of the change, save. */
import type { Context } from '../../../context.ts';
import type { QueryHandle } from '../../../db/index.ts';
import { type ErrorDetail, validationErrorFrom } from '../../../errors.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import type { CartEvaluation } from '../../checkout/evaluate-cart.ts';
import { assertCartLimits } from '../cart-limits-and-merging.ts';
import type { StoredCart, StoredCartLine } from '../model.ts';
import {
  type CartWithLazyPrices,
  evaluateStoredCart,
  toCartWithLazyPrices,
} from '../read/cart-with-lazy-prices.ts';
import { lockCart, requireCartOwnerId } from './find-and-lock-cart.ts';
import { saveCart } from './insert-save-and-delete-cart.ts';

export interface OwnCartArgs {
  businessId: string;
  version?: number | undefined;
}

export interface CartChange {
  cart: StoredCart;
  /** Problems of the changed cart that this request caused, with paths of its input. They reject the request; other problems do not. */
  findErrors?(problems: readonly ErrorDetail[]): ErrorDetail[];
  /** True for lines whose current price is stored, as the reference for PRICE_CHANGED. */
  isPriceSeen?(line: StoredCartLine): boolean;
}

export const changeOwnCartInTransaction = (
  ctx: Context,
  { businessId, version }: OwnCartArgs,
  change: (cart: StoredCart) => CartChange,
): Promise<CartWithLazyPrices> =>
  ctx.db.transaction(async (tx) => {
    const before = await lockCart(tx, businessId, requireCartOwnerId(ctx));
    assertExpectedVersion(before.version, version);
    return priceAndSaveCart(ctx, tx, before, change(before));
  });

/** `before` must be locked. */
export async function priceAndSaveCart(
  ctx: Context,
  tx: QueryHandle,
  before: StoredCart,
  { cart, findErrors, isPriceSeen }: CartChange,
): Promise<CartWithLazyPrices> {
  assertCartLimits(cart);
  const evaluation = await evaluateStoredCart(tx, cart);
  const errors = findErrors?.(evaluation.problems) ?? [];
  if (errors.length > 0) throw validationErrorFrom(errors);
  const lines = cart.lines.map((line, index) =>
    isPriceSeen?.(line) ? withCurrentPrice(line, index, evaluation) : line,
  );
  return toCartWithLazyPrices(ctx.db, await saveCart(tx, before, { ...cart, lines }), evaluation);
}

function withCurrentPrice(
  line: StoredCartLine,
  index: number,
  { lines, currency }: CartEvaluation,
): StoredCartLine {
  const evaluatedLine = lines[index];
  if (!evaluatedLine) return line;
  const { name, variantName, sku, unitPrice } = evaluatedLine;
  return { ...line, name, variantName, sku, unitPrice, currency };
}
