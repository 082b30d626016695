/** What becomes of carts: lines that are the same, bounds, two carts made one, what has changed since. Pure. */
import { type ErrorDetail, invalid } from '../../errors.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import type { AssessedLine } from '../checkout/assess.ts';
import { customersWordsBytes, isShort } from '../shared/record-size.ts';
import type { KeptCart, KeptLine } from './model.ts';

export const maxLines = 500;
export const maxQuantity = 1_000_000;
/** Of a cart and its lines together: the order that comes of it has them all, and may have as many. */
export const maxBlocks = 200;

/** The parts of a cart that its owner fills. */
export type Content = Pick<
  KeptCart,
  | 'market'
  | 'lines'
  | 'blocks'
  | 'shippingAddress'
  | 'billingAddress'
  | 'note'
  | 'promoCode'
  | 'shippingMethodId'
>;

export const lineChanges = ['PRICE_CHANGED', 'OUT_OF_STOCK', 'NOT_SOLD'] as const;
export type LineChange = (typeof lineChanges)[number];

/** What a customer should know about a line before they buy it. */
export function changesOf(
  kept: KeptLine,
  found: AssessedLine | undefined,
  currency: string | undefined,
): LineChange[] {
  if (found?.unitPrice === undefined) return ['NOT_SOLD'];
  const isComparable = kept.unitPrice !== undefined && kept.currency === currency;
  return [
    ...(isComparable && kept.unitPrice !== found.unitPrice ? ['PRICE_CHANGED' as const] : []),
    ...(found.isShort ? ['OUT_OF_STOCK' as const] : []),
  ];
}

/** Two lines are one when they want the same of the same variant. */
export const isSame = (a: KeptLine, b: KeptLine): boolean =>
  a.productId === b.productId &&
  a.variantId === b.variantId &&
  canonicalJson(a.blocks) === canonicalJson(b.blocks);

const wishOf = ({ productId, variantId, blocks }: KeptLine): string =>
  `${productId} ${variantId} ${canonicalJson(blocks)}`;

/** Adds lines, or their pieces to the line that wants the same. Each is looked at once, however much is written in it. */
export function withLines(lines: readonly KeptLine[], added: readonly KeptLine[]): KeptLine[] {
  const joined = [...lines];
  const places = new Map<string, number>();
  const place = (line: KeptLine, index: number) => {
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
export function merged<Kept extends Content>(into: Kept, from: Content): Kept {
  return {
    ...into,
    market: into.lines.length > 0 ? into.market : from.market,
    lines: withLines(into.lines, from.lines),
    blocks: into.blocks.length > 0 ? into.blocks : from.blocks,
    shippingAddress: into.shippingAddress ?? from.shippingAddress,
    billingAddress: into.billingAddress ?? from.billingAddress,
    note: into.note ?? from.note,
    promoCode: into.promoCode ?? from.promoCode,
    shippingMethodId: into.shippingMethodId ?? from.shippingMethodId,
  };
}

/** Throws every bound that a cart is beyond. */
export function expectBounds({ lines, blocks, note }: Content): void {
  const faults: ErrorDetail[] = [];
  if (lines.length > maxLines)
    faults.push({
      field: 'lines',
      error: 'TOO_LONG',
      message: `A cart may have at most ${maxLines} lines.`,
    });
  if (lines.some(({ quantity }) => quantity > maxQuantity))
    faults.push({
      field: 'quantity',
      error: 'TOO_BIG',
      message: `A line may have at most ${maxQuantity} pieces.`,
    });
  if (lines.reduce((sum, line) => sum + line.blocks.length, blocks.length) > maxBlocks)
    faults.push({
      field: 'blocks',
      error: 'TOO_LONG',
      message: `A cart may have at most ${maxBlocks} blocks, those of its lines included.`,
    });
  if (!isShort([blocks, note, lines.map((line) => line.blocks)]))
    faults.push({
      field: 'blocks',
      error: 'TOO_LONG',
      message: `Blocks and note of a cart may have at most ${customersWordsBytes} bytes, those of its lines included.`,
    });
  if (faults.length > 0) throw invalid(...faults);
}

/** What is left when everything was ordered. */
export const emptied = (cart: KeptCart): KeptCart => ({
  ...cart,
  lines: [],
  blocks: [],
  shippingAddress: undefined,
  billingAddress: undefined,
  note: undefined,
  promoCode: undefined,
});
