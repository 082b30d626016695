/** What a list of products can be asked for: filters, order and search. */
import { z } from 'zod';
import { dateFields, money, optional, pageFields, requiredText, rule, text } from '../../lib/input.ts';
import { namedValuesCheck } from '../shared/named-values.ts';
import { productStatuses } from './model.ts';

/** `_DESC`: the other way round. Without one of them the newest come first. */
export const productSorts = [
  'NEWEST',
  'OLDEST',
  'NAME',
  'NAME_DESC',
  'PRICE',
  'PRICE_DESC',
  'STOCK',
  'STOCK_DESC',
  'RELEVANCE',
] as const;
export type ProductSort = (typeof productSorts)[number];

const choices = {
  ids: optional(z.array(z.string()).max(100)),
  categories: optional(z.array(text(200)).max(100)),
  status: optional(z.enum(productStatuses)),
};

const marketRequired = rule('REQUIRED', 'Say in which market prices are meant.');

const filter = z
  .object({
    ...choices,
    market: optional(requiredText(50)),
    minPrice: optional(money),
    maxPrice: optional(money),
    inStock: optional(z.boolean()),
    attributes: optional(namedValuesCheck(100, 500)),
    ...dateFields,
  })
  .refine(
    ({ market, minPrice, maxPrice }) =>
      market !== undefined || (minPrice === undefined && maxPrice === undefined),
    { ...marketRequired, path: ['market'] },
  );

export const productFilterCheck = z
  .object({
    businessId: z.string(),
    ...pageFields,
    ...choices,
    category: optional(text(200)),
    query: optional(text(500)),
    search: optional(text(500)),
    lowStock: optional(z.boolean()),
    filter: optional(filter),
    sort: optional(z.enum(productSorts)),
  })
  .refine(({ sort, filter: asked }) => !sort?.startsWith('PRICE') || asked?.market !== undefined, {
    ...marketRequired,
    path: ['filter', 'market'],
  });

export const suggestionsCheck = z.object({
  businessId: z.string(),
  text: requiredText(200),
  first: optional(z.number().int()),
});

export type ProductFilter = z.output<typeof productFilterCheck>;
export type ProductNarrowing = Partial<NonNullable<ProductFilter['filter']>>;
export type SuggestionsRequest = z.output<typeof suggestionsCheck>;
