/** The id of a quote is the price lock itself: what was promised, signed for everybody to verify, good for 15 minutes. */

import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { DetailCode } from '../../detail-codes.ts';
import { type ErrorDetail, validationError } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import type { OrderLine } from '../orders/model.ts';
import type { Totals } from '../pricing/rules.ts';
import { normalizeMarketCode } from '../pricing/variant-pricing.ts';
import { verifyLegacyQuote } from './legacy-quote-id.ts';
import type { CartLine, PriceLock, QuotedCart, VerifiedQuote } from './model.ts';

export const quoteLifetimeSeconds = 15 * 60;

const claims = z.object({
  iss: z.string(),
  iat: z.number(),
  exp: z.number(),
  businessId: z.string(),
  market: z.string(),
  currency: z.string(),
  lines: z.array(
    z.object({
      productId: z.string(),
      variantId: z.string(),
      quantity: z.number(),
      unitPrice: z.number(),
      taxBps: z.number().optional(),
    }),
  ),
  subtotal: z.number(),
  discount: z.number(),
  tax: z.number(),
  taxBps: z.number(),
  shipping: z.number(),
  total: z.number(),
  shippingMethodId: z.string().optional(),
  promoCode: z.string().optional(),
  /** Whose quote it is, when its prices are not for everybody. */
  customerId: z.string().optional(),
});

type Claims = z.output<typeof claims>;

export interface QuoteContent extends Totals {
  businessId: string;
  market: string;
  currency: string;
  taxBps: number;
  lines: readonly OrderLine[];
  shippingMethodId?: string | undefined;
  promoCode?: string | undefined;
  customerId?: string | undefined;
}

export async function signQuote(
  { tokens, config }: Pick<Context, 'tokens' | 'config'>,
  { businessId, lines, ...quoted }: QuoteContent,
): Promise<{ id: string; expiresAt: number }> {
  const time = now();
  const expiresAt = time + quoteLifetimeSeconds;
  const id = await tokens.issueQuote({
    iss: config.publicUrl,
    iat: time,
    exp: expiresAt,
    businessId: businessId.toLowerCase(),
    ...quoted,
    lines: [...sumsOf(lines).values()].map(({ productId, variantId, quantity, unitPrice, taxBps }) => ({
      productId,
      variantId,
      quantity,
      unitPrice,
      ...(taxBps === undefined ? {} : { taxBps }),
    })),
  } satisfies z.input<typeof claims>);
  return { id, expiresAt };
}

/** A quote as it was sent. */
export interface QuoteToken {
  id: string;
  /** What was signed, if it was signed by us. */
  signed: unknown;
}

/** Outside of transactions: an unknown key makes us look for new ones. */
export const decodeQuote = async ({ tokens }: Pick<Context, 'tokens'>, id: string): Promise<QuoteToken> => ({
  id,
  signed: await tokens.readQuote(id),
});

/**
 * The lock behind an id, or a 422 that says why there is none. What the cart leaves out, shipping method and promo
 * code, it takes from the lock; what it says must be what was locked.
 */
export function verifyQuote(
  { keys }: Pick<Context, 'keys'>,
  { id, signed }: QuoteToken,
  cart: QuotedCart,
  time = now(),
): PriceLock {
  const isOld = id.split('.').length === 2;
  const opened = isOld ? verifyLegacyQuote(keys.secret, id, cart) : openSigned(signed, cart);
  if (!opened) throw refuse('QUOTE_INVALID', 'This is not the id of a quote.');
  const { lock, isForCart } = opened;
  const isSame =
    isForCart &&
    (cart.shippingMethodId === undefined || cart.shippingMethodId === lock.shippingMethodId) &&
    (cart.promoCode === undefined || cart.promoCode.toLowerCase() === lock.promoCode?.toLowerCase());
  if (!isSame) throw refuse('QUOTE_MISMATCH', 'This quote was made for something else.');
  if (time >= lock.expiresAt) throw refuse('QUOTE_EXPIRED', 'This quote has expired, ask for a new one.');
  return lock;
}

function openSigned(signed: unknown, cart: QuotedCart): VerifiedQuote | undefined {
  const read = claims.safeParse(signed);
  if (!read.success) return undefined;
  const { businessId, market, lines, exp, shippingMethodId, promoCode, customerId, ...terms } = read.data;
  return {
    isForCart:
      businessId === cart.businessId.toLowerCase() &&
      normalizeMarketCode(market) === normalizeMarketCode(cart.market) &&
      (customerId === undefined || customerId === cart.customerId) &&
      haveSameUnits(lines, cart.lines),
    lock: {
      prices: new Map(lines.map(({ variantId, unitPrice }) => [variantId, unitPrice])),
      taxes: new Map(
        lines.flatMap(({ variantId, taxBps }) => (taxBps === undefined ? [] : [[variantId, taxBps]])),
      ),
      taxBps: terms.taxBps,
      discount: terms.discount,
      shipping: terms.shipping,
      currency: terms.currency,
      shippingMethodId,
      promoCode,
      expiresAt: exp,
    },
  };
}

const refuse = (error: DetailCode, message: string) =>
  validationError({ field: 'quote', error, message } satisfies ErrorDetail);

/** In whatever order of lines, and one line of two pieces is two lines of one. */
function haveSameUnits(quoted: Claims['lines'], lines: readonly CartLine[]): boolean {
  const sums = sumsOf(lines);
  return (
    quoted.length === sums.size && quoted.every((line) => sums.get(keyOf(line))?.quantity === line.quantity)
  );
}

const keyOf = ({ productId, variantId }: CartLine) => `${productId} ${variantId}`;

function sumsOf<Line extends CartLine>(lines: readonly Line[]): Map<string, Line> {
  const sums = new Map<string, Line>();
  for (const line of lines) {
    const quantity = line.quantity + (sums.get(keyOf(line))?.quantity ?? 0);
    sums.set(keyOf(line), { ...line, quantity });
  }
  return sums;
}
