/** What callers must send to change a business and its configuration. */
import { z } from 'zod';
import { permissions } from '../../auth/permissions.ts';
import { PromoCodeType } from '../../generated/prisma/enums.ts';
import { currency, distinct, money, optional, pageFields, requiredText, slug } from '../../lib/input.ts';
import { marketKey } from '../pricing/catalogue.ts';

const address = { businessId: z.string(), id: z.string(), version: optional(z.number().int()) };
const inBusiness = { businessId: z.string() };

export const listCheck = z.object({
  businessId: z.string(),
  ...pageFields,
});
export const ownListCheck = listCheck.omit({ businessId: true });

const businessName = requiredText(200);
export const createBusinessCheck = z.object({
  input: z.object({ name: businessName, slug: optional(slug) }),
});
export const updateBusinessCheck = z.object({
  id: z.string(),
  version: optional(z.number().int()),
  input: z.object({ name: optional(businessName), slug: optional(slug) }),
});

const marketCode = requiredText(50).regex(
  /^[\w.-]+$/,
  'Must be letters, digits, dashes, dots or underscores.',
);
const taxBps = z.number().int().min(0, 'Must not be negative.').max(10_000, 'Must be at most 10000.');

export const createMarketCheck = z.object({
  ...inBusiness,
  input: z.object({ code: marketCode, currency, taxBps: optional(taxBps).transform((bps) => bps ?? 0) }),
});
export const updateMarketCheck = z.object({
  businessId: z.string(),
  code: z.string(),
  version: optional(z.number().int()),
  input: z.object({ currency: optional(currency), taxBps: optional(taxBps) }),
});

const shippingPrices = distinct(
  z
    .array(z.object({ marketId: marketCode, price: money, freeAbove: optional(money) }))
    .max(200, 'Must have at most 200 markets.'),
  'marketId',
  'DUPLICATE_MARKET',
  'Each market may have one price.',
  marketKey,
);

export const createShippingMethodCheck = z.object({
  ...inBusiness,
  input: z.object({
    id: optional(
      requiredText(100).regex(/^[\w.-]+$/, 'Must be letters, digits, dashes, dots or underscores.'),
    ),
    name: requiredText(200),
    prices: optional(shippingPrices).transform((prices) => prices ?? []),
  }),
});
export const updateShippingMethodCheck = z.object({
  ...address,
  input: z.object({ name: optional(requiredText(200)), prices: optional(shippingPrices) }),
});

const count = z.number().int().min(1, 'Must be at least 1.').max(2_147_483_647);
const moment = z.number().int().min(0, 'Must not be negative.');

/** In an update, null takes a limit away and absence leaves it as it is. */
const promoLimits = {
  bps: z.number().int().min(1, 'Must be at least 1.').max(10_000, 'Must be at most 10000.').nullish(),
  amount: money.min(1, 'Must be at least 1.').nullish(),
  currency: currency.nullish(),
  minSubtotal: money.nullish(),
  startsAt: moment.nullish(),
  endsAt: moment.nullish(),
  maxUses: count.nullish(),
  maxUsesPerCustomer: count.nullish(),
};

const promoCode = requiredText(100).regex(/^\S+$/, 'Must not contain spaces.');

/** A promo code as a whole: what its type needs must be there. */
export const wholePromoCheck = z
  .object({ code: promoCode, type: z.enum(PromoCodeType), ...promoLimits })
  .superRefine((promo, ctx) => {
    const need = (field: 'bps' | 'amount' | 'currency') => {
      if (promo[field] === null || promo[field] === undefined) {
        ctx.addIssue({
          code: 'custom',
          path: [field],
          message: `A ${promo.type} code needs ${field}.`,
          params: { error: 'REQUIRED' },
        });
      }
    };
    if (promo.type === 'PERCENTAGE') need('bps');
    if (promo.type === 'FIXED') {
      need('amount');
      need('currency');
    }
    if (promo.startsAt && promo.endsAt && promo.startsAt >= promo.endsAt) {
      ctx.addIssue({
        code: 'custom',
        path: ['endsAt'],
        message: 'Must be after startsAt.',
        params: { error: 'INVALID_RANGE' },
      });
    }
  });

export const createPromoCodeCheck = z.object({ ...inBusiness, input: wholePromoCheck });
export const updatePromoCodeCheck = z.object({
  ...address,
  input: z.object({ code: optional(promoCode), type: optional(z.enum(PromoCodeType)), ...promoLimits }),
});

const roleName = requiredText(100);
const permissionList = z
  .array(z.enum(permissions))
  .max(50)
  .transform((list) => [...new Set(list)]);

export const createRoleCheck = z.object({
  ...inBusiness,
  input: z.object({ name: roleName, permissions: optional(permissionList).transform((list) => list ?? []) }),
});
export const updateRoleCheck = z.object({
  ...address,
  input: z.object({ name: optional(roleName), permissions: optional(permissionList) }),
});
