/** Lines of the viewer's cart: added, changed, removed. What is out of stock may be in a cart; what is not sold may not come in. */
import type { Context } from '../../context.ts';
import { type ErrorDetail, notFound } from '../../errors.ts';
import { onceKeeping } from '../../idempotency.ts';
import { newId } from '../../lib/ids.ts';
import { now } from '../../lib/time.ts';
import { expectVersion } from '../../lib/version.ts';
import { type CartAddress, type Changed, changeCart, settle } from './change-cart.ts';
import type { AddLine, UpdateLine } from './checks.ts';
import { findOwnCart } from './find-cart.ts';
import type { KeptCart, KeptLine } from './model.ts';
import { isSame, withLines } from './rules.ts';
import { lockCart, ownerOf } from './store.ts';
import type { CartView } from './view.ts';

/** Repeated under its key it adds nothing, and answers the cart as it is by then. */
export async function addLine(ctx: Context, { businessId, version, input }: AddLine): Promise<CartView> {
  const outcome = await onceKeeping(
    ctx,
    'addCartLine',
    { businessId, input },
    (queries) =>
      queries.transaction(async (tx) => {
        const cart = await lockCart(tx, businessId, ownerOf(ctx));
        expectVersion(cart.version, version);
        return settle(ctx, tx, cart, withAdded(cart, input));
      }),
    ({ id }) => ({ id }),
  );
  const cart = outcome.isNew ? outcome.result : await findOwnCart(ctx, { businessId });
  if (!cart) throw notFound('Cart');
  return cart;
}

function withAdded(cart: KeptCart, { blocks = [], ...input }: AddLine['input']): Changed {
  const { productId, variantId, quantity } = input;
  const line = { id: newId(), productId, variantId, quantity, blocks, name: '', addedAt: now() };
  const lines = withLines(cart.lines, [line]);
  const place = lines.findIndex((one) => isSame(one, line));
  return { cart: { ...cart, lines }, faults: faultsAt(place), seen: (one) => isSame(one, line) };
}

export const updateLine = (ctx: Context, { lineId, input, ...at }: UpdateLine): Promise<CartView> =>
  changeCart(ctx, at, (cart) => {
    const place = placeOf(cart, lineId);
    const lines = cart.lines.map((line, index): KeptLine => {
      const { quantity = line.quantity, blocks = line.blocks } = input;
      return index === place ? { ...line, quantity, blocks } : line;
    });
    return { cart: { ...cart, lines }, faults: faultsAt(place), seen: ({ id }) => id === lineId };
  });

/** Whatever is wrong with it, it can be taken out. */
export const removeLine = (
  ctx: Context,
  { lineId, ...at }: CartAddress & { lineId: string },
): Promise<CartView> =>
  changeCart(ctx, at, (cart) => {
    const place = placeOf(cart, lineId);
    return { cart: { ...cart, lines: cart.lines.filter((_line, index) => index !== place) } };
  });

function placeOf({ lines }: KeptCart, lineId: string): number {
  const place = lines.findIndex(({ id }) => id === lineId.toLowerCase());
  if (place < 0) throw notFound('Cart line');
  return place;
}

/** The problems of one line, by the fields that its request has. */
const faultsAt =
  (place: number) =>
  (problems: readonly ErrorDetail[]): ErrorDetail[] => {
    const path = `lines.${place}`;
    return problems.flatMap((problem): ErrorDetail[] => {
      if (problem.error === 'AMOUNT_TOO_LARGE') return [{ ...problem, field: 'quantity' }];
      if (problem.error === 'OUT_OF_STOCK') return [];
      if (problem.field === path) return [{ ...problem, field: 'variantId' }];
      return problem.field.startsWith(`${path}.`)
        ? [{ ...problem, field: problem.field.slice(path.length + 1) }]
        : [];
    });
  };
