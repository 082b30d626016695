/** What becomes of carts: lines that are the same, bounds, two carts made one, what has changed since. Pure. */
import { type ErrorDetail, validationError } from '../../errors.ts';
import { canonicalJson } from '../../lib/json/canonical-json.ts';
import type { EvaluatedLine } from '../checkout/evaluate-cart.ts';
import { isWithinTextLimit, maxCustomerTextBytes } from '../shared/record-size.ts';
import type { StoredCart, StoredCartLine } from './model.ts';

export const maxCartLines = 500;
export const maxCartLineQuantity = 1_000_000;
/** Of a cart and its lines together: the order that comes of it has them all, and may have as many. */
export const maxCartBlocks = 200;

/** The parts of a cart that its owner fills. */
export type CartContent = Pick<
  StoredCart,
  | 'market'
  | 'lines'
  | 'blocks'
  | 'shippingAddress'
  | 'billingAddress'
  | 'note'
  | 'promoCode'
  | 'shippingMethodId'
>;

export const cartLineChanges = ['PRICE_CHANGED', 'OUT_OF_STOCK', 'NOT_SOLD'] as const;
export type CartLineChange = (typeof cartLineChanges)[number];

/** What a customer should know about a line before they buy it. */
export function detectCartLineChanges(
  kept: StoredCartLine,
  found: EvaluatedLine | undefined,
  currency: string | undefined,
): CartLineChange[] {
  if (found?.unitPrice === undefined) return ['NOT_SOLD'];
  const isComparable = kept.unitPrice !== undefined && kept.currency === currency;
  return [
    ...(isComparable && kept.unitPrice !== found.unitPrice ? ['PRICE_CHANGED' as const] : []),
    ...(found.isShort ? ['OUT_OF_STOCK' as const] : []),
  ];
}

/** Two lines are one when they want the same of the same variant. */
export const isSameCartLine = (a: StoredCartLine, b: StoredCartLine): boolean =>
  a.productId === b.productId &&
  a.variantId === b.variantId &&
  canonicalJson(a.blocks) === canonicalJson(b.blocks);

const wishOf = ({ productId, variantId, blocks }: StoredCartLine): string =>
  `${productId} ${variantId} ${canonicalJson(blocks)}`;

/** Adds lines, or their pieces to the line that wants the same. Each is looked at once, however much is written in it. */
export function addToCartLines(
  lines: readonly StoredCartLine[],
  added: readonly StoredCartLine[],
): StoredCartLine[] {
  const joined = [...lines];
  const places = new Map<string, number>();
  const place = (line: StoredCartLine, index: number) => {
    const wish = wishOf(line);
    const found = places.get(wish);
    if (found === undefined) places.set(wish, index);
    return found;
  };
  lines.forEach(place);
  for (const line of added) {
    const at = place(line, joined.length);
    const there = at === undefined ? undefined : joined[at];
    if (at === undefined || there === undefined) joined.push(line);
    else joined[at] = { ...there, quantity: there.quantity + line.quantity };
  }
  return joined;
}

/** Everything of both: lines add up, and where only one can be had, the first has its way. */
export function mergeCartContent<Kept extends CartContent>(into: Kept, from: CartContent): Kept {
  return {
    ...into,
    market: into.lines.length > 0 ? into.market : from.market,
    lines: addToCartLines(into.lines, from.lines),
    blocks: into.blocks.length > 0 ? into.blocks : from.blocks,
    shippingAddress: into.shippingAddress ?? from.shippingAddress,
    billingAddress: into.billingAddress ?? from.billingAddress,
    note: into.note ?? from.note,
    promoCode: into.promoCode ?? from.promoCode,
    shippingMethodId: into.shippingMethodId ?? from.shippingMethodId,
  };
}

/** Throws every bound that a cart is beyond. */
export function assertCartLimits({ lines, blocks, note }: CartContent): void {
  const faults: ErrorDetail[] = [];
  if (lines.length > maxCartLines)
    faults.push({
      field: 'lines',
      error: 'TOO_LONG',
      message: `A cart may have at most ${maxCartLines} lines.`,
    });
  if (lines.some(({ quantity }) => quantity > maxCartLineQuantity))
    faults.push({
      field: 'quantity',
      error: 'TOO_BIG',
      message: `A line may have at most ${maxCartLineQuantity} pieces.`,
    });
  if (lines.reduce((sum, line) => sum + line.blocks.length, blocks.length) > maxCartBlocks)
    faults.push({
      field: 'blocks',
      error: 'TOO_LONG',
      message: `A cart may have at most ${maxCartBlocks} blocks, those of its lines included.`,
    });
  if (!isWithinTextLimit([blocks, note, lines.map((line) => line.blocks)]))
    faults.push({
      field: 'blocks',
      error: 'TOO_LONG',
      message: `Blocks and note of a cart may have at most ${maxCustomerTextBytes} bytes, those of its lines included.`,
    });
  if (faults.length > 0) throw validationError(...faults);
}

/** What is left when everything was ordered. */
export const emptyCart = (cart: StoredCart): StoredCart => ({
  ...cart,
  lines: [],
  blocks: [],
  shippingAddress: undefined,
  billingAddress: undefined,
  note: undefined,
  promoCode: undefined,
});
