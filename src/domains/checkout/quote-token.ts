/** Signs and verifies quote ids. The id is the price lock itself: a JWS of the quoted prices, valid for 15 minutes, verifiable with the public keys. */
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { DetailCode } from '../../detail-codes.ts';
import { validationError } from '../../errors.ts';
import { now } from '../../lib/time.ts';
import type { SellingTermsRequest } from '../businesses/selling-terms.ts';
import type { OrderLine } from '../orders/model.ts';
import type { PriceTotals } from '../pricing/compute-cart-price.ts';
import { normalizeMarketCode } from '../pricing/variant-prices-and-snapshot.ts';
import type { CartForQuoteVerification, CartLine, PriceLock, VerifiedQuote } from './checkout-data-types.ts';

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
  /** Customer that the quote is bound to, when it contains group prices. */
  customerId: z.string().optional(),
});

type Claims = z.output<typeof claims>;

interface QuoteTokenContent extends SellingTermsRequest, PriceTotals {
  currency: string;
  taxBps: number;
  lines: readonly OrderLine[];
}

export async function issueQuoteToken(
  { tokens, config }: Pick<Context, 'tokens' | 'config'>,
  { businessId, lines, ...content }: QuoteTokenContent,
): Promise<{ id: string; expiresAt: number }> {
  const time = now();
  const expiresAt = time + quoteLifetimeSeconds;
  const id = await tokens.issueQuote({
    iss: config.publicUrl,
    iat: time,
    exp: expiresAt,
    businessId: businessId.toLowerCase(),
    ...content,
    lines: [...sumByVariant(lines).values()].map(({ productId, variantId, quantity, unitPrice, taxBps }) => ({
      productId,
      variantId,
      quantity,
      unitPrice,
      ...(taxBps === undefined ? {} : { taxBps }),
    })),
  } satisfies z.input<typeof claims>);
  return { id, expiresAt };
}

/** A quote id from a request, decoded. */
export interface DecodedQuoteToken {
  /** Payload if the signature is valid, otherwise undefined. */
  signed: unknown;
}

/** Call outside of transactions: an unknown key id reloads the key set. */
export const decodeQuoteToken = async (
  { tokens }: Pick<Context, 'tokens'>,
  id: string,
): Promise<DecodedQuoteToken> => ({ signed: await tokens.readQuote(id) });

/**
 * Returns the price lock of a quote id, or rejects with 422. Shipping method and promo code of the cart may be omitted;
 * otherwise they must match the lock.
 */
export function verifyQuoteToken(
  { signed }: DecodedQuoteToken,
  cart: CartForQuoteVerification,
  time = now(),
): PriceLock {
  const verified = toVerifiedQuote(signed, cart);
  if (!verified) throw quoteError('QUOTE_INVALID', 'Must be the id of a quote.');
  const { lock, isForCart } = verified;
  const isSame =
    isForCart &&
    (cart.shippingMethodId === undefined || cart.shippingMethodId === lock.shippingMethodId) &&
    (cart.promoCode === undefined || cart.promoCode.toLowerCase() === lock.promoCode?.toLowerCase());
  if (!isSame) throw quoteError('QUOTE_MISMATCH', 'This quote is for another cart or customer.');
  if (time >= lock.expiresAt) throw quoteError('QUOTE_EXPIRED', 'This quote has expired: request a new one.');
  return lock;
}

function toVerifiedQuote(signed: unknown, cart: CartForQuoteVerification): VerifiedQuote | undefined {
  const parsed = claims.safeParse(signed);
  if (!parsed.success) return undefined;
  const { businessId, market, lines, exp, shippingMethodId, promoCode, customerId, ...terms } = parsed.data;
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

const quoteError = (error: DetailCode, message: string) => validationError('quote', error, message);

/** Compares units per variant, regardless of the order of lines and of how units are split over lines. */
function haveSameUnits(quoted: Claims['lines'], lines: readonly CartLine[]): boolean {
  const sums = sumByVariant(lines);
  return (
    quoted.length === sums.size &&
    quoted.every((line) => sums.get(variantKey(line))?.quantity === line.quantity)
  );
}

const variantKey = ({ productId, variantId }: CartLine) => `${productId} ${variantId}`;

function sumByVariant<Line extends CartLine>(lines: readonly Line[]): Map<string, Line> {
  const sums = new Map<string, Line>();
  for (const line of lines) {
    const quantity = line.quantity + (sums.get(variantKey(line))?.quantity ?? 0);
    sums.set(variantKey(line), { ...line, quantity });
  }
  return sums;
}
