/** Adds, updates and removes lines of the viewer's cart. Variants that are out of stock are accepted; variants that are not sold are rejected. */
import type { Context } from '../../../context.ts';
import { type ErrorDetail, notFoundError } from '../../../errors.ts';
import { runIdempotentStoringPart } from '../../../idempotency.ts';
import { newId } from '../../../lib/ids.ts';
import { assertExpectedVersion } from '../../../lib/optimistic-locking.ts';
import { now } from '../../../lib/time.ts';
import {
  resolveProductAndVariantIds,
  type VariantIds,
} from '../../products/read/resolve-product-and-variant-ids.ts';
import { addToCartLines, isSameCartLine } from '../cart-limits-and-merging.ts';
import type { StoredCart, StoredCartLine } from '../model.ts';
import type { CartWithLazyPrices } from '../read/cart-with-lazy-prices.ts';
import { findOwnCart } from '../read/find-cart.ts';
import type { AddCartLineArgs, UpdateCartLineArgs } from '../schemas.ts';
import {
  type CartChange,
  changeOwnCartInTransaction,
  type OwnCartArgs,
  priceAndSaveCart,
} from './change-own-cart.ts';
import { cartNotFoundError, lockCart, requireCartOwnerId } from './find-and-lock-cart.ts';

/** A retry with the same idempotency key adds nothing and returns the current cart. */
export async function addCartLine(
  ctx: Context,
  { businessId, version, input }: AddCartLineArgs,
): Promise<CartWithLazyPrices> {
  const outcome = await runIdempotentStoringPart(
    ctx,
    'addCartLine',
    { businessId, input },
    (queries) =>
      queries.transaction(async (tx) => {
        const cart = await lockCart(tx, businessId, requireCartOwnerId(ctx));
        assertExpectedVersion(cart.version, version);
        const ids = await resolveProductAndVariantIds(tx, businessId, input);
        return priceAndSaveCart(ctx, tx, cart, toAddLineChange(cart, input, ids));
      }),
    ({ id }) => ({ id }),
  );
  const cart = outcome.isNew ? outcome.result : await findOwnCart(ctx, { businessId });
  if (!cart) throw cartNotFoundError();
  return cart;
}

function toAddLineChange(
  cart: StoredCart,
  { blocks = [], quantity, sku }: AddCartLineArgs['input'],
  ids: VariantIds,
): CartChange {
  const line = { id: newId(), ...ids, quantity, blocks, name: '', addedAt: now() };
  const lines = addToCartLines(cart.lines, [line]);
  const lineIndex = lines.findIndex((candidate) => isSameCartLine(candidate, line));
  return {
    cart: { ...cart, lines },
    findErrors: errorsOfLine(lineIndex, sku === undefined ? 'variantId' : 'sku'),
    isPriceSeen: (candidate) => isSameCartLine(candidate, line),
  };
}

export const updateCartLine = (
  ctx: Context,
  { lineId, input, ...cartArgs }: UpdateCartLineArgs,
): Promise<CartWithLazyPrices> =>
  changeOwnCartInTransaction(ctx, cartArgs, (cart) => {
    const lineIndex = requireLineIndex(cart, lineId);
    const lines = cart.lines.map((line, index): StoredCartLine => {
      const { quantity = line.quantity, blocks = line.blocks } = input;
      return index === lineIndex ? { ...line, quantity, blocks } : line;
    });
    return {
      cart: { ...cart, lines },
      findErrors: errorsOfLine(lineIndex),
      isPriceSeen: ({ id }) => id === lineId,
    };
  });

/** Never rejects because of problems of the cart, so that any line can be removed. */
export const removeCartLine = (
  ctx: Context,
  { lineId, ...cartArgs }: OwnCartArgs & { lineId: string },
): Promise<CartWithLazyPrices> =>
  changeOwnCartInTransaction(ctx, cartArgs, (cart) => {
    const lineIndex = requireLineIndex(cart, lineId);
    return { cart: { ...cart, lines: cart.lines.filter((_line, index) => index !== lineIndex) } };
  });

function requireLineIndex({ lines }: StoredCart, lineId: string): number {
  const lineIndex = lines.findIndex(({ id }) => id === lineId.toLowerCase());
  if (lineIndex < 0) throw notFoundError('Cart line');
  return lineIndex;
}

/** OUT_OF_STOCK does not reject a line: the variant may be back at checkout. */
const rejectedProblems: ReadonlySet<string> = new Set([
  'AMOUNT_TOO_LARGE',
  'PRICE_NOT_AVAILABLE',
  'PRODUCT_NOT_FOUND',
  'VARIANT_NOT_FOUND',
]);

/** Problems of one line, with paths relative to the input of the line. */
const errorsOfLine =
  (lineIndex: number, variantField = 'variantId') =>
  (problems: readonly ErrorDetail[]): ErrorDetail[] => {
    const path = `lines.${lineIndex}`;
    return problems.flatMap((problem): ErrorDetail[] => {
      if (problem.error === 'AMOUNT_TOO_LARGE') return [{ ...problem, field: 'quantity' }];
      if (!rejectedProblems.has(problem.error)) return [];
      if (problem.field === path) return [{ ...problem, field: variantField }];
      return problem.field.startsWith(`${path}.`)
        ? [{ ...problem, field: problem.field.slice(path.length + 1) }]
        : [];
    });
  };
