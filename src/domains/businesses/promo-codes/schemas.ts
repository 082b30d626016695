/** Zod schemas of promo codes. */
import { z } from 'zod';
import { PromoCodeType } from '../../../generated/prisma/enums.ts';
import {
  buildRequiredTextSchema,
  currencySchema,
  moneySchema,
  optionalInput,
  refineMutuallyExclusive,
} from '../../../lib/validation/input.ts';

const count = z.number().int().min(1, 'Must be at least 1.').max(2_147_483_647);
const timestamp = z.number().int().min(0, 'Must not be negative.');
const bps = z.number().int().min(1, 'Must be at least 1.').max(10_000, 'Must be at most 10000.');
const amount = moneySchema.min(1, 'Must be at least 1.');
const code = buildRequiredTextSchema(100).regex(/^\S+$/, 'Must not contain spaces.');

/** In an update, null removes a limit and an absent field stays unchanged. */
const limits = {
  bps: bps.nullish(),
  amount: amount.nullish(),
  currency: currencySchema.nullish(),
  minSubtotal: moneySchema.nullish(),
  startsAt: timestamp.nullish(),
  endsAt: timestamp.nullish(),
  maxUses: count.nullish(),
  maxUsesPerCustomer: count.nullish(),
};

/** `PromoDiscountInput` is a @oneOf input, so exactly one field is present. */
const discount = z.object({
  percentage: optionalInput(bps),
  fixed: optionalInput(z.object({ amount, currency: currencySchema })),
  freeShipping: optionalInput(z.literal(true, 'Must be true.')),
});

/** Converts a discount to the stored fields of a promo code. */
function toStoredFields({ percentage, fixed }: z.output<typeof discount>) {
  if (percentage !== undefined) return { ...noDiscount, type: PromoCodeType.PERCENTAGE, bps: percentage };
  if (fixed) return { ...noDiscount, type: PromoCodeType.FIXED, ...fixed };
  return { ...noDiscount, type: PromoCodeType.FREE_SHIPPING };
}

const noDiscount = { bps: null, amount: null, currency: null };

const notWithStoredFields = refineMutuallyExclusive('discount', 'type', 'bps', 'amount', 'currency');

interface PromoFields extends z.output<z.ZodObject<typeof limits>> {
  type: PromoCodeType;
}

/** Requires the fields that the type needs, and `endsAt` after `startsAt`. */
function validateFields(promo: PromoFields, ctx: z.core.$RefinementCtx): void {
  const requireField = (field: 'bps' | 'amount' | 'currency') => {
    if (promo[field] === null || promo[field] === undefined)
      promoIssue(ctx, field, 'REQUIRED', `A ${promo.type} code needs ${field}.`);
  };
  if (promo.type === 'PERCENTAGE') requireField('bps');
  if (promo.type === 'FIXED') {
    requireField('amount');
    requireField('currency');
  }
  if (promo.startsAt && promo.endsAt && promo.startsAt >= promo.endsAt)
    promoIssue(ctx, 'endsAt', 'INVALID_RANGE', 'Must be after startsAt.');
}

const promoIssue = (ctx: z.core.$RefinementCtx, field: string, error: string, message: string) =>
  ctx.addIssue({ code: 'custom', path: [field], message, params: { error } });

/** Complete promo code, as it is stored. */
export const storedPromoCodeSchema = z
  .object({ code, type: z.enum(PromoCodeType), ...limits })
  .superRefine(validateFields);

const requireDiscount = (value: unknown, ctx: z.core.$RefinementCtx) => {
  const { type, discount: discountInput } = (value ?? {}) as { type?: unknown; discount?: unknown };
  if (type == null && discountInput == null) promoIssue(ctx, 'type', 'REQUIRED', 'This field is required.');
};

export const createPromoCodeSchema = z.object({
  businessId: z.string(),
  input: z
    .object({
      code,
      discount: optionalInput(discount),
      type: optionalInput(z.enum(PromoCodeType)),
      ...limits,
    })
    .superRefine(notWithStoredFields, { when: () => true })
    .superRefine(requireDiscount, { when: () => true })
    .transform(({ discount: discountInput, type = 'FREE_SHIPPING', ...promo }) =>
      discountInput ? { ...promo, ...toStoredFields(discountInput) } : { ...promo, type },
    )
    .superRefine(validateFields),
});

export const updatePromoCodeSchema = z.object({
  businessId: z.string(),
  id: z.string(),
  version: optionalInput(z.number().int()),
  input: z
    .object({
      code: optionalInput(code),
      discount: optionalInput(discount),
      type: optionalInput(z.enum(PromoCodeType)),
      ...limits,
    })
    .superRefine(notWithStoredFields, { when: () => true })
    .transform(({ discount: discountInput, ...changes }) =>
      discountInput ? { ...changes, ...toStoredFields(discountInput) } : changes,
    ),
});
