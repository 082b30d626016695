/** Cart rules without I/O: limits, merging of lines and carts, changes since a line was added. */
import { type ErrorDetail, validationErrorFrom } from '../../errors.ts';
import { canonicalJson } from '../../lib/json/canonical-json.ts';
import type { EvaluatedCartLine } from '../checkout/evaluate-cart.ts';
import { isWithinCustomerTextLimit, maxCustomerTextBytes } from '../shared/record-size-limits.ts';
import type { StoredCart, StoredCartLine } from './model.ts';

const maxCartLines = 500;
const maxCartLineQuantity = 1_000_000;
/** Maximum number of blocks of a cart and its lines together: the order receives all of them and has the same limit. */
const maxCartBlocks = 200;

/** Fields of a cart that its owner sets. */
export type CartContent = Pick<
  StoredCart,
  | 'market'
  | 'lines'
  | 'blocks'
  | 'shippingAddress'
  | 'billingAddress'
  | 'email'
  | 'phone'
  | 'marketingConsent'
  | 'note'
  | 'promoCode'
  | 'shippingMethodId'
>;

export const cartLineChanges = ['PRICE_CHANGED', 'OUT_OF_STOCK', 'NOT_SOLD'] as const;
export type CartLineChange = (typeof cartLineChanges)[number];

/** Changes of price, stock and availability since the line was added or last updated. */
export function detectCartLineChanges(
  line: StoredCartLine,
  evaluated: EvaluatedCartLine | undefined,
  currency: string | undefined,
): CartLineChange[] {
  if (evaluated?.unitPrice === undefined) return ['NOT_SOLD'];
  const isComparable = line.unitPrice !== undefined && line.currency === currency;
  return [
    ...(isComparable && line.unitPrice !== evaluated.unitPrice ? ['PRICE_CHANGED' as const] : []),
    ...(evaluated.isOutOfStock ? ['OUT_OF_STOCK' as const] : []),
  ];
}

/** Lines are the same when variant and blocks are equal. */
export const isSameCartLine = (a: StoredCartLine, b: StoredCartLine): boolean =>
  a.productId === b.productId &&
  a.variantId === b.variantId &&
  canonicalJson(a.blocks) === canonicalJson(b.blocks);

const lineKey = ({ productId, variantId, blocks }: StoredCartLine): string =>
  `${productId} ${variantId} ${canonicalJson(blocks)}`;

/** Appends lines, or adds their quantity to an existing same line. Serializes the blocks of each line once, so the cost is linear. */
export function addToCartLines(
  lines: readonly StoredCartLine[],
  added: readonly StoredCartLine[],
): StoredCartLine[] {
  const result = [...lines];
  const indexByKey = new Map<string, number>();
  const findOrRegister = (line: StoredCartLine, index: number) => {
    const key = lineKey(line);
    const existingIndex = indexByKey.get(key);
    if (existingIndex === undefined) indexByKey.set(key, index);
    return existingIndex;
  };
  lines.forEach(findOrRegister);
  for (const line of added) {
    const existingIndex = findOrRegister(line, result.length);
    const existing = existingIndex === undefined ? undefined : result[existingIndex];
    if (existingIndex === undefined || existing === undefined) result.push(line);
    else result[existingIndex] = { ...existing, quantity: existing.quantity + line.quantity };
  }
  return result;
}

/** Merges two carts: quantities of same lines add up; for single-valued fields `into` takes precedence. */
export function mergeCartContent<Cart extends CartContent>(into: Cart, from: CartContent): Cart {
  return {
    ...into,
    market: into.lines.length > 0 ? into.market : from.market,
    lines: addToCartLines(into.lines, from.lines),
    blocks: into.blocks.length > 0 ? into.blocks : from.blocks,
    shippingAddress: into.shippingAddress ?? from.shippingAddress,
    billingAddress: into.billingAddress ?? from.billingAddress,
    ...mergeContact(into, from),
    note: into.note ?? from.note,
    promoCode: into.promoCode ?? from.promoCode,
    shippingMethodId: into.shippingMethodId ?? from.shippingMethodId,
  };
}

/** Consent applies to the address that it was given with. */
const mergeContact = (into: CartContent, from: CartContent) => ({
  phone: into.phone ?? from.phone,
  email: into.email ?? from.email,
  marketingConsent: into.email === undefined ? from.marketingConsent : into.marketingConsent,
});

/** Throws one error with a detail for each limit that the cart exceeds. */
export function assertCartLimits({ lines, blocks, note }: CartContent): void {
  const errors: ErrorDetail[] = [];
  if (lines.length > maxCartLines)
    errors.push({
      field: 'lines',
      error: 'TOO_LONG',
      message: `A cart may have at most ${maxCartLines} lines.`,
    });
  if (lines.some(({ quantity }) => quantity > maxCartLineQuantity))
    errors.push({
      field: 'quantity',
      error: 'TOO_BIG',
      message: `A line may have at most ${maxCartLineQuantity} units.`,
    });
  if (lines.reduce((sum, line) => sum + line.blocks.length, blocks.length) > maxCartBlocks)
    errors.push({
      field: 'blocks',
      error: 'TOO_LONG',
      message: `A cart may have at most ${maxCartBlocks} blocks, including those of its lines.`,
    });
  if (!isWithinCustomerTextLimit([blocks, note, lines.map((line) => line.blocks)]))
    errors.push({
      field: 'blocks',
      error: 'TOO_LONG',
      message: `Blocks and note of a cart may have at most ${maxCustomerTextBytes} bytes in total, including the blocks of its lines.`,
    });
  if (errors.length > 0) throw validationErrorFrom(errors);
}

/** The cart after checkout: market and shipping method remain. */
export const clearCartAfterCheckout = (cart: StoredCart): StoredCart => ({
  ...cart,
  lines: [],
  blocks: [],
  shippingAddress: undefined,
  billingAddress: undefined,
  email: undefined,
  phone: undefined,
  marketingConsent: undefined,
  note: undefined,
  promoCode: undefined,
});
