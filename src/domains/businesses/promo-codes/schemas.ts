/** What callers must send to make and change promo codes. */
import { z } from 'zod';
import { PromoCodeType } from '../../../generated/prisma/enums.ts';
import {
  currencySchema,
  moneySchema,
  mutuallyExclusive,
  optionalInput,
  requiredTextSchema,
} from '../../../lib/validation/input.ts';

const count = z.number().int().min(1, 'Must be at least 1.').max(2_147_483_647);
const moment = z.number().int().min(0, 'Must not be negative.');
const bps = z.number().int().min(1, 'Must be at least 1.').max(10_000, 'Must be at most 10000.');
const amount = moneySchema.min(1, 'Must be at least 1.');
const code = requiredTextSchema(100).regex(/^\S+$/, 'Must not contain spaces.');

/** In an update, null takes a limit away and absence leaves it as it is. */
const limits = {
  bps: bps.nullish(),
  amount: amount.nullish(),
  currency: currencySchema.nullish(),
  minSubtotal: moneySchema.nullish(),
  startsAt: moment.nullish(),
  endsAt: moment.nullish(),
  maxUses: count.nullish(),
  maxUsesPerCustomer: count.nullish(),
};

/** One of them, as GraphQL makes sure. */
const discount = z.object({
  percentage: optionalInput(bps),
  fixed: optionalInput(z.object({ amount, currency: currencySchema })),
  freeShipping: optionalInput(z.literal(true, 'Must be true.')),
});

/** What a discount is in the fields that a code is kept in. */
function fieldsOf({ percentage, fixed }: z.output<typeof discount>) {
  if (percentage !== undefined) return { ...nothingOff, type: PromoCodeType.PERCENTAGE, bps: percentage };
  if (fixed) return { ...nothingOff, type: PromoCodeType.FIXED, ...fixed };
  return { ...nothingOff, type: PromoCodeType.FREE_SHIPPING };
}

const nothingOff = { bps: null, amount: null, currency: null };

const insteadOfFields = mutuallyExclusive('discount', 'type', 'bps', 'amount', 'currency');

interface Promo extends z.output<z.ZodObject<typeof limits>> {
  type: PromoCodeType;
}

/** What its type needs must be there. */
function checkWhole(promo: Promo, ctx: z.core.$RefinementCtx): void {
  const need = (field: 'bps' | 'amount' | 'currency') => {
    if (promo[field] === null || promo[field] === undefined)
      fault(ctx, field, 'REQUIRED', `A ${promo.type} code needs ${field}.`);
  };
  if (promo.type === 'PERCENTAGE') need('bps');
  if (promo.type === 'FIXED') {
    need('amount');
    need('currency');
  }
  if (promo.startsAt && promo.endsAt && promo.startsAt >= promo.endsAt)
    fault(ctx, 'endsAt', 'INVALID_RANGE', 'Must be after startsAt.');
}

const fault = (ctx: z.core.$RefinementCtx, field: string, error: string, message: string) =>
  ctx.addIssue({ code: 'custom', path: [field], message, params: { error } });

/** A promo code as it is kept. */
export const storedPromoCodeSchema = z
  .object({ code, type: z.enum(PromoCodeType), ...limits })
  .superRefine(checkWhole);

const needsDiscount = (value: unknown, ctx: z.core.$RefinementCtx) => {
  const { type, discount: given } = (value ?? {}) as { type?: unknown; discount?: unknown };
  if (type == null && given == null) fault(ctx, 'type', 'REQUIRED', 'This field is required.');
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
    .superRefine(insteadOfFields, { when: () => true })
    .superRefine(needsDiscount, { when: () => true })
    .transform(({ discount: given, type = 'FREE_SHIPPING', ...promo }) =>
      given ? { ...promo, ...fieldsOf(given) } : { ...promo, type },
    )
    .superRefine(checkWhole),
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
    .superRefine(insteadOfFields, { when: () => true })
    .transform(({ discount: given, ...changes }) => (given ? { ...changes, ...fieldsOf(given) } : changes)),
});
