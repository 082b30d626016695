/** Zod schemas of businesses, markets, shipping methods and roles. */
import { z } from 'zod';
import { permissions } from '../../auth/permissions-and-default-roles.ts';
import {
  buildRequiredTextSchema,
  currencySchema,
  moneySchema,
  optionalInput,
  pageArgSchemas,
  requireDistinctItems,
  slugSchema,
} from '../../lib/validation/input.ts';
import { normalizeMarketCode } from '../pricing/variant-prices-and-snapshot.ts';

const address = { businessId: z.string(), id: z.string(), version: optionalInput(z.number().int()) };
const inBusiness = { businessId: z.string() };

export const listConfigurationRecordsSchema = z.object({ businessId: z.string(), ...pageArgSchemas });
export const listOwnBusinessesSchema = listConfigurationRecordsSchema.omit({ businessId: true });

const businessName = buildRequiredTextSchema(200);
export const createBusinessSchema = z.object({
  input: z.object({
    name: businessName,
    slug: optionalInput(slugSchema),
    publicRead: optionalInput(z.boolean()),
  }),
});
export const updateBusinessSchema = z.object({
  id: z.string(),
  version: optionalInput(z.number().int()),
  input: z.object({
    name: optionalInput(businessName),
    slug: optionalInput(slugSchema),
    publicRead: optionalInput(z.boolean()),
  }),
});

const marketCode = buildRequiredTextSchema(50).regex(
  /^[\w.-]+$/,
  'Must be letters, digits, dashes, dots or underscores.',
);
const taxBps = z.number().int().min(0, 'Must not be negative.').max(10_000, 'Must be at most 10000.');

const taxRates = requireDistinctItems(
  z
    .array(z.object({ category: buildRequiredTextSchema(200), taxBps }))
    .max(200, 'Must have at most 200 categories.'),
  'category',
  'DUPLICATE_CATEGORY',
  'A category can have only one rate.',
);

export const createMarketSchema = z.object({
  ...inBusiness,
  input: z.object({
    code: marketCode,
    currency: currencySchema,
    taxBps: optionalInput(taxBps).transform((bps) => bps ?? 0),
    taxRates: optionalInput(taxRates),
  }),
});
const marketShippingPrices = requireDistinctItems(
  z
    .array(
      z.object({
        shippingMethodId: buildRequiredTextSchema(100),
        price: moneySchema,
        freeAbove: optionalInput(moneySchema),
      }),
    )
    .max(200, 'Must have at most 200 shipping methods.'),
  'shippingMethodId',
  'DUPLICATE_ID',
  'A shipping method can have only one price.',
);

export const updateMarketSchema = z.object({
  businessId: z.string(),
  code: z.string(),
  version: optionalInput(z.number().int()),
  input: z.object({
    currency: optionalInput(currencySchema),
    taxBps: optionalInput(taxBps),
    taxRates: optionalInput(taxRates),
    shippingPrices: optionalInput(marketShippingPrices),
  }),
});

const shippingPrices = requireDistinctItems(
  z
    .array(z.object({ marketId: marketCode, price: moneySchema, freeAbove: optionalInput(moneySchema) }))
    .max(200, 'Must have at most 200 markets.'),
  'marketId',
  'DUPLICATE_MARKET',
  'A market can have only one price.',
  normalizeMarketCode,
);

export const createShippingMethodSchema = z.object({
  ...inBusiness,
  input: z.object({
    id: optionalInput(
      buildRequiredTextSchema(100).regex(
        /^[\w.-]+$/,
        'Must be letters, digits, dashes, dots or underscores.',
      ),
    ),
    name: buildRequiredTextSchema(200),
    prices: optionalInput(shippingPrices).transform((prices) => prices ?? []),
  }),
});
export const updateShippingMethodSchema = z.object({
  ...address,
  input: z.object({
    name: optionalInput(buildRequiredTextSchema(200)),
    prices: optionalInput(shippingPrices),
  }),
});

const roleName = buildRequiredTextSchema(100);
const permissionList = z
  .array(z.enum(permissions))
  .max(50)
  .transform((list) => [...new Set(list)]);

export const createRoleSchema = z.object({
  ...inBusiness,
  input: z.object({
    name: roleName,
    permissions: optionalInput(permissionList).transform((list) => list ?? []),
  }),
});
export const updateRoleSchema = z.object({
  ...address,
  input: z.object({ name: optionalInput(roleName), permissions: optionalInput(permissionList) }),
});
