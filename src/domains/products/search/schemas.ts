/** Zod schemas of product list arguments (filter, sort, search) and of suggestions. */
import { z } from 'zod';
import {
  buildRequiredTextSchema,
  buildTextSchema,
  dateRangeFilterSchemas,
  detailCodeRefineOptions,
  moneySchema,
  optionalInput,
  pageArgSchemas,
  refineFormerNameEqual,
} from '../../../lib/validation/input.ts';
import { buildNamedValuesSchema, maxNamedValues } from '../../shared/named-value-filter.ts';
import { productStatuses } from '../model.ts';

/** `_DESC` reverses the order. Default: NEWEST. */
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

const commonFields = {
  ids: optionalInput(z.array(z.string()).max(100)),
  categories: optionalInput(z.array(buildTextSchema(200)).max(100)),
  status: optionalInput(z.enum(productStatuses)),
};

const marketRequired = detailCodeRefineOptions(
  'REQUIRED',
  'Filtering or sorting by price requires a market (in GraphQL `filter.market`).',
);

const filter = z
  .object({
    ...commonFields,
    market: optionalInput(buildRequiredTextSchema(50)),
    minPrice: optionalInput(moneySchema),
    maxPrice: optionalInput(moneySchema),
    inStock: optionalInput(z.boolean()),
    attributes: optionalInput(buildNamedValuesSchema(100, 500)),
    selectedOptions: optionalInput(
      z
        .array(z.object({ name: buildRequiredTextSchema(100), value: buildTextSchema(500) }))
        .max(maxNamedValues, `Must have at most ${maxNamedValues} items.`),
    ),
    ...dateRangeFilterSchemas,
  })
  .refine(
    ({ market, minPrice, maxPrice }) =>
      market !== undefined || (minPrice === undefined && maxPrice === undefined),
    { ...marketRequired, path: ['market'] },
  );

export const listProductsSchema = z
  .object({
    businessId: z.string(),
    ...pageArgSchemas,
    ...commonFields,
    category: optionalInput(buildTextSchema(200)),
    includeSubcategories: optionalInput(z.boolean()),
    query: optionalInput(buildTextSchema(500)),
    search: optionalInput(buildTextSchema(500)),
    lowStock: optionalInput(z.boolean()),
    filter: optionalInput(filter),
    sort: optionalInput(z.enum(productSorts)),
  })
  .refine(({ sort, filter: requested }) => !sort?.startsWith('PRICE') || requested?.market !== undefined, {
    ...marketRequired,
    path: ['filter', 'market'],
  })
  .superRefine(refineFormerNameEqual('search', 'query'));

export const searchSuggestionsSchema = z.object({
  businessId: z.string(),
  text: buildRequiredTextSchema(200),
  first: optionalInput(z.number().int()),
});

export type ListProductsArgs = z.output<typeof listProductsSchema>;
export type ProductFilterFields = Partial<NonNullable<ListProductsArgs['filter']>>;
export type SearchSuggestionsArgs = z.output<typeof searchSuggestionsSchema>;
