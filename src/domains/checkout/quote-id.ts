/** The id of a quote is the price lock itself: what was promised, signed, good for 15 minutes. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type ErrorDetail, invalid } from '../../errors.ts';
import { marketKey } from '../pricing/catalogue.ts';
import type { CartLine, PriceLock } from './model.ts';

export const quoteSeconds = 15 * 60;

/** What a lock belongs to. */
export interface LockedCart {
  businessId: string;
  market: string;
  lines: readonly CartLine[];
  shippingMethodId?: string | undefined;
  promoCode?: string | undefined;
}

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

export function signQuote(
  secret: Uint8Array,
  cart: LockedCart,
  lock: Omit<PriceLock, 'shippingMethodId' | 'promoCode'>,
): string {
  const text = JSON.stringify({
    v: 1,
    b: cart.businessId.toLowerCase(),
    m: marketKey(cart.market),
    c: fingerprint(cart.lines),
    cur: lock.currency,
    s: cart.shippingMethodId ?? null,
    p: cart.promoCode?.toLowerCase() ?? null,
    t: lock.taxBps,
    d: lock.discount,
    sh: lock.shipping,
    u: variantsOf(cart.lines).map((id) => lock.prices.get(id) ?? 0),
    e: lock.expiresAt,
  } satisfies z.input<typeof payload>);
  return `${Buffer.from(text).toString('base64url')}.${sign(secret, text).toString('base64url')}`;
}

/**
 * The lock behind an id, or a 422 that says why there is none. What the cart leaves out, shipping method and promo
 * code, it takes from the lock; what it says must be what was locked.
 */
export function openQuote(secret: Uint8Array, id: string, cart: LockedCart, now: number): PriceLock {
  const [body = '', mac = ''] = id.split('.');
  const text = Buffer.from(body, 'base64url').toString();
  const given = Buffer.from(mac, 'base64url');
  const genuine = given.length === macBytes && timingSafeEqual(given, sign(secret, text));
  const read = genuine ? payload.safeParse(JSON.parse(text)) : undefined;
  if (!read?.success) throw refuse('QUOTE_INVALID', 'This is not the id of a quote.');
  const { b, m, c, s, p, u, e, t, d, sh, cur } = read.data;
  const same =
    b === cart.businessId.toLowerCase() &&
    m === marketKey(cart.market) &&
    c === fingerprint(cart.lines) &&
    (cart.shippingMethodId === undefined || s === cart.shippingMethodId) &&
    (cart.promoCode === undefined || p === cart.promoCode.toLowerCase());
  if (!same) throw refuse('QUOTE_MISMATCH', 'This quote was made for something else.');
  if (now >= e) throw refuse('QUOTE_EXPIRED', 'This quote has expired, ask for a new one.');
  return {
    prices: new Map(variantsOf(cart.lines).map((variant, index) => [variant, u[index] ?? 0])),
    taxBps: t,
    discount: d,
    shipping: sh,
    currency: cur,
    shippingMethodId: s ?? undefined,
    promoCode: p ?? undefined,
    expiresAt: e,
  };
}

const refuse = (error: string, message: string) =>
  invalid({ field: 'quote', error, message } satisfies ErrorDetail);

const variantsOf = (lines: readonly CartLine[]): string[] =>
  [...new Set(lines.map((line) => line.variantId))].sort();

/** The same for every order of lines, and for one line of two pieces as for two lines of one. */
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
