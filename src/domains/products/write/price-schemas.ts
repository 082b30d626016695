/** Zod schemas of prices. Sale, tier and group prices must not exceed `price`. */
import { z } from 'zod';
import {
  buildRequiredTextSchema,
  currencySchema,
  detailCodeRefineOptions,
  moneySchema,
  optionalInput,
  requireDistinctItems,
  unixSecondsSchema,
} from '../../../lib/validation/input.ts';
import { maxStockQuantity } from '../model.ts';

const sale = z
  .object({
    amount: moneySchema,
    startsAt: optionalInput(unixSecondsSchema),
    endsAt: optionalInput(unixSecondsSchema),
  })
  .refine(({ startsAt = -1, endsAt = Number.MAX_VALUE }) => startsAt < endsAt, {
    ...detailCodeRefineOptions('INVALID_RANGE', 'Must be after startsAt.'),
    path: ['endsAt'],
  });

const tier = z.object({
  minQuantity: z.number().int().min(2, 'Must be at least 2.').max(maxStockQuantity),
  amount: moneySchema,
});

/** An empty list is stored as undefined. */
const tiers = optionalInput(z.array(tier).max(20, 'Must have at most 20 tiers.')).transform((list) =>
  list && list.length > 0 ? list : undefined,
);

const duplicateTier = detailCodeRefineOptions('DUPLICATE_TIER', 'Another tier has the same minQuantity.');
const duplicateGroup = detailCodeRefineOptions('DUPLICATE_GROUP', 'Each group may have only one price.');

const groupPrice = z.object({ groupId: buildRequiredTextSchema(100), amount: moneySchema });

const groupPrices = optionalInput(z.array(groupPrice).max(20, 'Must have at most 20 groups.')).transform(
  (list) => (list && list.length > 0 ? list : undefined),
);

const marketPrice = z
  .object({
    marketId: buildRequiredTextSchema(50),
    currency: currencySchema,
    price: moneySchema,
    compareAtPrice: optionalInput(moneySchema),
    sale: optionalInput(sale),
    tiers,
    groupPrices,
  })
  .superRefine(({ price, ...reduced }, ctx) => {
    const assertNotAbovePrice = (amount: number | undefined, ...path: (string | number)[]) => {
      if (amount === undefined || amount <= price) return;
      const message = 'Must not exceed `price`.';
      ctx.addIssue({ code: 'custom', path, message, params: { error: 'ABOVE_PRICE' } });
    };
    assertNotAbovePrice(reduced.sale?.amount, 'sale', 'amount');
    const createUniqueAssertion = () => {
      const seen = new Set<unknown>();
      return (
        value: unknown,
        issue: ReturnType<typeof detailCodeRefineOptions>,
        ...path: (string | number)[]
      ) => {
        if (seen.has(value))
          ctx.addIssue({ code: 'custom', path, message: issue.error, params: issue.params });
        seen.add(value);
      };
    };
    const [assertUniqueTier, assertUniqueGroup] = [createUniqueAssertion(), createUniqueAssertion()];
    for (const [index, { minQuantity, amount }] of reduced.tiers?.entries() ?? []) {
      assertNotAbovePrice(amount, 'tiers', index, 'amount');
      assertUniqueTier(minQuantity, duplicateTier, 'tiers', index, 'minQuantity');
    }
    for (const [index, { groupId, amount }] of reduced.groupPrices?.entries() ?? []) {
      assertNotAbovePrice(amount, 'groupPrices', index, 'amount');
      assertUniqueGroup(groupId, duplicateGroup, 'groupPrices', index, 'groupId');
    }
  });

export const marketPriceFieldNames: readonly string[] = Object.keys(marketPrice.shape);

export const marketPricesSchema = requireDistinctItems(
  z.array(marketPrice).max(200, 'Must have at most 200 markets.'),
  'marketId',
  'DUPLICATE_MARKET',
  'Each market may have only one price.',
  (marketId) => marketId.toLowerCase(),
);
