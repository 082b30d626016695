/** Verifies quote ids in the legacy HMAC format, which preceded signed JWS quotes. Needed until the last of them has expired. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { normalizeMarketCode } from '../pricing/variant-prices-and-snapshot.ts';
import type { CartForQuoteVerification, CartLine, VerifiedQuote } from './checkout-data-types.ts';

const payload = z.object({
  v: z.literal(1),
  b: z.string(),
  m: z.string(),
  /** Fingerprint of the cart lines. */
  c: z.string(),
  cur: z.string(),
  s: z.string().nullable(),
  p: z.string().nullable(),
  t: z.number(),
  d: z.number(),
  sh: z.number(),
  /** Unit prices of the cart's variants, sorted by variant id. */
  u: z.array(z.number()),
  e: z.number(),
});

const macBytes = 16;

const sign = (secret: Uint8Array, text: string) =>
  createHmac('sha256', secret).update(`quote\n${text}`).digest().subarray(0, macBytes);

/** Undefined when the MAC or the payload is invalid. */
export function verifyLegacyQuoteToken(
  secret: Uint8Array,
  id: string,
  cart: CartForQuoteVerification,
): VerifiedQuote | undefined {
  const [body = '', mac = ''] = id.split('.');
  const text = Buffer.from(body, 'base64url').toString();
  const receivedMac = Buffer.from(mac, 'base64url');
  const isGenuine = receivedMac.length === macBytes && timingSafeEqual(receivedMac, sign(secret, text));
  const parsed = isGenuine ? payload.safeParse(JSON.parse(text)) : undefined;
  if (!parsed?.success) return undefined;
  const { b, m, c, s, p, u, e, t, d, sh, cur } = parsed.data;
  return {
    isForCart:
      b === cart.businessId.toLowerCase() &&
      m === normalizeMarketCode(cart.market) &&
      c === fingerprint(cart.lines),
    lock: {
      prices: new Map(sortedVariantIds(cart.lines).map((variant, index) => [variant, u[index] ?? 0])),
      taxes: new Map(),
      taxBps: t,
      discount: d,
      shipping: sh,
      currency: cur,
      shippingMethodId: s ?? undefined,
      promoCode: p ?? undefined,
      expiresAt: e,
    },
  };
}

const sortedVariantIds = (lines: readonly CartLine[]): string[] =>
  [...new Set(lines.map((line) => line.variantId))].sort();

function fingerprint(lines: readonly CartLine[]): string {
  const sums = new Map<string, number>();
  for (const { productId, variantId, quantity } of lines) {
    const key = `${productId} ${variantId}`;
    sums.set(key, (sums.get(key) ?? 0) + quantity);
  }
  const text = [...sums]
    .map(([key, quantity]) => `${key} ${quantity}`)
    .sort()
    .join('\n');
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
