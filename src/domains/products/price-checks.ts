/** What prices sent by a caller must look like. Nothing makes a piece cost more than its plain price. */
import { z } from 'zod';
import { currency, distinct, moment, money, optional, requiredText, rule } from '../../lib/input.ts';

const sale = z
  .object({ amount: money, startsAt: optional(moment), endsAt: optional(moment) })
  .refine(({ startsAt = -1, endsAt = Number.MAX_VALUE }) => startsAt < endsAt, {
    ...rule('INVALID_RANGE', 'Must be after startsAt.'),
    path: ['endsAt'],
  });

const marketPrice = z
  .object({
    marketId: requiredText(50),
    currency,
    price: money,
    compareAtPrice: optional(money),
    sale: optional(sale),
  })
  .superRefine(({ price, ...lower }, ctx) => {
    const limit = (amount: number | undefined, ...path: (string | number)[]) => {
      if (amount === undefined || amount <= price) return;
      const message = 'Must not be more than the plain price.';
      ctx.addIssue({ code: 'custom', path, message, params: { error: 'ABOVE_PRICE' } });
    };
    limit(lower.sale?.amount, 'sale', 'amount');
  });

export const marketPrices = distinct(
  z.array(marketPrice).max(200, 'Must have at most 200 markets.'),
  'marketId',
  'DUPLICATE_MARKET',
  'Each market may have one price.',
  (marketId) => marketId.toLowerCase(),
);
