/** Ids of quotes as they were made before they were signed for everybody: honoured until the last of them has expired. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { normalizeMarketCode } from '../pricing/variant-pricing.ts';
import type { CartLine, QuotedCart, VerifiedQuote } from './model.ts';

const payload = z.object({
  v: z.literal(1),
  b: z.string(),
  m: z.string(),
  /** Fingerprint of the cart. */
  c: z.string(),
  cur: z.string(),
  s: z.string().nullable(),
  p: z.string().nullable(),
  t: z.number(),
  d: z.number(),
  sh: z.number(),
  /** Unit prices of the cart's variants, in the order of their ids. */
  u: z.array(z.number()),
  e: z.number(),
});

const macBytes = 16;

const sign = (secret: Uint8Array, text: string) =>
  createHmac('sha256', secret).update(`quote\n${text}`).digest().subarray(0, macBytes);

/** Undefined when it is not genuine. */
export function verifyLegacyQuote(
  secret: Uint8Array,
  id: string,
  cart: QuotedCart,
): VerifiedQuote | undefined {
  const [body = '', mac = ''] = id.split('.');
  const text = Buffer.from(body, 'base64url').toString();
  const given = Buffer.from(mac, 'base64url');
  const isGenuine = given.length === macBytes && timingSafeEqual(given, sign(secret, text));
  const read = isGenuine ? payload.safeParse(JSON.parse(text)) : undefined;
  if (!read?.success) return undefined;
  const { b, m, c, s, p, u, e, t, d, sh, cur } = read.data;
  return {
    isForCart:
      b === cart.businessId.toLowerCase() &&
      m === normalizeMarketCode(cart.market) &&
      c === fingerprint(cart.lines),
    lock: {
      prices: new Map(variantsOf(cart.lines).map((variant, index) => [variant, u[index] ?? 0])),
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

const variantsOf = (lines: readonly CartLine[]): string[] =>
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
