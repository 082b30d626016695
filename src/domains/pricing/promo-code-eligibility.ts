/** Lookup key of a promo code, eligibility for a cart, and reduction. Pure; businesses/promo-codes/promo-claims.ts counts uses. */
import type { ErrorDetail } from '../../errors.ts';
import type { PromoReduction } from './compute-cart-price.ts';

export interface PromoCodeTerms {
  id: string;
  code: string;
  type: PromoReduction['type'];
  bps: number | null;
  amount: number | null;
  currency: string | null;
  minSubtotal: number | null;
  startsAt: number | null;
  endsAt: number | null;
  maxUses: number | null;
  maxUsesPerCustomer: number | null;
  uses: number;
  /** Number of current orders of this customer that use it. */
  customerUses: number;
}

/** Stored lookup key of a promo code. Codes are compared case-insensitively. */
export const toPromoCodeKey = (code: string) => code.toLowerCase();

interface PromoCodeContext {
  currency: string;
  subtotal: number;
  now: number;
}

const messages = {
  PROMO_CODE_INVALID: 'This promo code does not exist or does not apply to this cart.',
  PROMO_CODE_EXPIRED: 'This promo code has expired.',
  PROMO_CODE_EXHAUSTED: 'This promo code has reached its maximum number of uses.',
  PROMO_CODE_MINIMUM_NOT_MET: 'The subtotal is below the minimum of this promo code.',
} as const;

export type PromoCodeErrorCode = keyof typeof messages;

export const toPromoCodeErrorDetail = (error: PromoCodeErrorCode): ErrorDetail => ({
  field: 'promoCode',
  error,
  message: messages[error],
});

export function findPromoCodeError(
  promo: PromoCodeTerms | undefined,
  context: PromoCodeContext,
): PromoCodeErrorCode | undefined {
  if (!promo || (promo.startsAt !== null && context.now < promo.startsAt)) return 'PROMO_CODE_INVALID';
  if (promo.type === 'FIXED' && promo.currency !== context.currency) return 'PROMO_CODE_INVALID';
  if (promo.endsAt !== null && context.now >= promo.endsAt) return 'PROMO_CODE_EXPIRED';
  if (promo.maxUses !== null && promo.uses >= promo.maxUses) return 'PROMO_CODE_EXHAUSTED';
  if (promo.maxUsesPerCustomer !== null && promo.customerUses >= promo.maxUsesPerCustomer)
    return 'PROMO_CODE_EXHAUSTED';
  if (promo.minSubtotal !== null && context.subtotal < promo.minSubtotal) return 'PROMO_CODE_MINIMUM_NOT_MET';
  return undefined;
}

/** Errors of the code for a cart that cannot be priced, whose subtotal is unknown. Without a market its currency is unknown, too. */
export function findPromoCodeErrorsWithoutSubtotal(
  promo: PromoCodeTerms | undefined,
  marketCurrency: string | undefined,
  now: number,
): ErrorDetail[] {
  const currency = marketCurrency ?? promo?.currency ?? '';
  const error = findPromoCodeError(promo, { currency, subtotal: Number.MAX_SAFE_INTEGER, now });
  return error ? [toPromoCodeErrorDetail(error)] : [];
}

export function toPromoReduction({ type, bps, amount }: PromoCodeTerms): PromoReduction {
  if (type === 'PERCENTAGE') return { type, bps: bps ?? 0 };
  if (type === 'FIXED') return { type, amount: amount ?? 0 };
  return { type };
}
