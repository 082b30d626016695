/** What prices sent by a caller must look like. Nothing makes a piece cost more than its plain price. */
import { z } from 'zod';
import {
  currencySchema,
  distinctBy,
  moneySchema,
  optionalInput,
  requiredTextSchema,
  timestampSchema,
  withDetailCode,
} from '../../../lib/validation/input.ts';
import { maxStockQuantity } from '../model.ts';

const sale = z
  .object({
    amount: moneySchema,
    startsAt: optionalInput(timestampSchema),
    endsAt: optionalInput(timestampSchema),
  })
  .refine(({ startsAt = -1, endsAt = Number.MAX_VALUE }) => startsAt < endsAt, {
    ...withDetailCode('INVALID_RANGE', 'Must be after startsAt.'),
    path: ['endsAt'],
  });

const tier = z.object({
  minQuantity: z.number().int().min(2, 'Must be at least 2.').max(maxStockQuantity),
  amount: moneySchema,
});

/** An empty list is none. */
const tiers = optionalInput(z.array(tier).max(20, 'Must have at most 20 tiers.')).transform((list) =>
  list && list.length > 0 ? list : undefined,
);

const sameBeginning = withDetailCode('DUPLICATE_TIER', 'Another tier begins with as many pieces.');
const sameGroup = withDetailCode('DUPLICATE_GROUP', 'Each group may have one price.');

const groupPrice = z.object({ groupId: requiredTextSchema(100), amount: moneySchema });

const groupPrices = optionalInput(z.array(groupPrice).max(20, 'Must have at most 20 groups.')).transform(
  (list) => (list && list.length > 0 ? list : undefined),
);

const marketPrice = z
  .object({
    marketId: requiredTextSchema(50),
    currency: currencySchema,
    price: moneySchema,
    compareAtPrice: optionalInput(moneySchema),
    sale: optionalInput(sale),
    tiers,
    groupPrices,
  })
  .superRefine(({ price, ...lower }, ctx) => {
    const limit = (amount: number | undefined, ...path: (string | number)[]) => {
      if (amount === undefined || amount <= price) return;
      const message = 'Must not be more than the plain price.';
      ctx.addIssue({ code: 'custom', path, message, params: { error: 'ABOVE_PRICE' } });
    };
    limit(lower.sale?.amount, 'sale', 'amount');
    const once = () => {
      const seen = new Set<unknown>();
      return (value: unknown, fault: ReturnType<typeof withDetailCode>, ...path: (string | number)[]) => {
        if (seen.has(value))
          ctx.addIssue({ code: 'custom', path, message: fault.error, params: fault.params });
        seen.add(value);
      };
    };
    const [begins, isFor] = [once(), once()];
    for (const [index, { minQuantity, amount }] of lower.tiers?.entries() ?? []) {
      limit(amount, 'tiers', index, 'amount');
      begins(minQuantity, sameBeginning, 'tiers', index, 'minQuantity');
    }
    for (const [index, { groupId, amount }] of lower.groupPrices?.entries() ?? []) {
      limit(amount, 'groupPrices', index, 'amount');
      isFor(groupId, sameGroup, 'groupPrices', index, 'groupId');
    }
  });

export const marketPricesSchema = distinctBy(
  z.array(marketPrice).max(200, 'Must have at most 200 markets.'),
  'marketId',
  'DUPLICATE_MARKET',
  'Each market may have one price.',
  (marketId) => marketId.toLowerCase(),
);
