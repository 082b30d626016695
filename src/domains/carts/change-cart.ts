/** Changes the viewer's own cart: locked, changed, priced, refused if it cannot be, saved. */
import type { Context } from '../../context.ts';
import type { Queries } from '../../db/sql.ts';
import { type ErrorDetail, invalid } from '../../errors.ts';
import { expectVersion } from '../../lib/version.ts';
import type { Assessment } from '../checkout/assess.ts';
import type { KeptCart, KeptLine } from './model.ts';
import { expectBounds } from './rules.ts';
import { lockCart, ownerOf, saveCart } from './store.ts';
import { assess, type CartView, viewOf } from './view.ts';

export interface CartAddress {
  businessId: string;
  version?: number | undefined;
}

export interface Changed {
  cart: KeptCart;
  /** Of the problems that the changed cart has, those that are the caller's fault, by the names they have in the request. */
  faults?(problems: readonly ErrorDetail[]): ErrorDetail[];
  /** The lines whose price the caller sees now: later prices are held against it. */
  seen?(line: KeptLine): boolean;
}

export const changeCart = (
  ctx: Context,
  { businessId, version }: CartAddress,
  change: (cart: KeptCart) => Changed,
): Promise<CartView> =>
  ctx.db.transaction(async (tx) => {
    const before = await lockCart(tx, businessId, ownerOf(ctx));
    expectVersion(before.version, version);
    return settle(ctx, tx, before, change(before));
  });

/** For a cart that is locked. */
export async function settle(
  ctx: Context,
  tx: Queries,
  before: KeptCart,
  { cart, faults, seen }: Changed,
): Promise<CartView> {
  expectBounds(cart);
  const assessment = await assess(tx, cart);
  const found = faults?.(assessment.problems) ?? [];
  if (found.length > 0) throw invalid(...found);
  const lines = cart.lines.map((line, place) => (seen?.(line) ? noted(line, place, assessment) : line));
  return viewOf(ctx.db, await saveCart(tx, before, { ...cart, lines }), assessment);
}

function noted(line: KeptLine, place: number, { lines, currency }: Assessment): KeptLine {
  const found = lines[place];
  if (!found) return line;
  const { name, variantName, sku, unitPrice } = found;
  return { ...line, name, variantName, sku, unitPrice, currency };
}
