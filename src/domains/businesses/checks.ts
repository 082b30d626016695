/** What callers must send to change a business and its configuration. */
import { z } from 'zod';
import { permissions } from '../../auth/permissions.ts';
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

const taxRates = distinct(
  z.array(z.object({ category: requiredText(200), taxBps })).max(200, 'Must have at most 200 categories.'),
  'category',
  'DUPLICATE_CATEGORY',
  'Each category may have one rate.',
);

export const createMarketCheck = z.object({
  ...inBusiness,
  input: z.object({
    code: marketCode,
    currency,
    taxBps: optional(taxBps).transform((bps) => bps ?? 0),
    taxRates: optional(taxRates),
  }),
});
export const updateMarketCheck = z.object({
  businessId: z.string(),
  code: z.string(),
  version: optional(z.number().int()),
  input: z.object({ currency: optional(currency), taxBps: optional(taxBps), taxRates: optional(taxRates) }),
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
