/** GraphQL fields of a product card that depend on markets: price ranges, availability, and notices for staff. */
import type { Context } from '../../../context.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { fieldArgs } from '../../../graphql/schema/field-tables.ts';
import { describedEnumValues } from '../../../graphql/schema/payload-and-enum-helpers.ts';
import { now } from '../../../lib/time.ts';
import { loadMarketsOfBusiness } from '../../businesses/load-businesses-and-configuration.ts';
import { loadGroupNamesOfViewer } from '../../groups/load-group-names-of-customers.ts';
import {
  type AmountRange,
  computeCompareAtPriceRange,
  computePriceRange,
  type PriceRangeContext,
} from '../../pricing/price-range.ts';
import {
  findMarketPrice,
  listGroupIdsInPrices,
  normalizeMarketCode,
} from '../../pricing/variant-prices-and-snapshot.ts';
import type { MarketPrice, Product, Variant } from '../../products/model.ts';
import { restoreGroupPrices } from '../../products/read/non-staff-product-views.ts';
import { isInStock } from '../../products/read/select-variant.ts';
import { ProductGraphqlType, VariantGraphqlType } from '../../products/types.ts';
import { PriceGraphqlType } from '../../shared/price-graphql-type.ts';

interface PriceRange extends AmountRange {
  currency: string;
}

const ProductPriceRangeGraphqlType = builder.objectRef<PriceRange>('ProductPriceRange').implement({
  description: 'Lowest and highest price of the variants of a product in one market.',
  fields: (t) => ({
    min: t.field({
      type: PriceGraphqlType,
      description: 'Lowest price.',
      resolve: ({ min, currency }) => ({ amount: min, currency }),
    }),
    max: t.field({
      type: PriceGraphqlType,
      description: 'Highest price; equal to `min` if all variants have the same price.',
      resolve: ({ max, currency }) => ({ amount: max, currency }),
    }),
  }),
});

type ComputeRange = (prices: readonly MarketPrice[], context: PriceRangeContext) => AmountRange | undefined;

/** Null when the market does not exist, or no variant has a price there in the currency of the market. */
async function loadPriceRange(
  ctx: Context,
  product: Product,
  code: string,
  compute: ComputeRange,
): Promise<PriceRange | null> {
  const markets = await loadMarketsOfBusiness(ctx, product.businessId);
  const market = markets?.find(({ key }) => key === normalizeMarketCode(code));
  if (!market) return null;
  const prices = product.variants.flatMap((variant) => {
    const price = findMarketPrice(variant, market);
    return price ? [restoreGroupPrices(price)] : [];
  });
  const groupIds = ctx.viewer.accountUser ? listGroupIdsInPrices(prices) : [];
  // PERF: no query for the viewer's groups without group prices or without a viewer.
  const groups =
    groupIds.length > 0 ? await loadGroupNamesOfViewer(ctx, product.businessId, groupIds) : undefined;
  const range = compute(prices, { now: now(), groups });
  return range ? { ...range, currency: market.currency } : null;
}

/** Variants with a price in the market, or in any market of the business if `code` is undefined. */
async function loadPricedVariants(
  ctx: Context,
  { businessId, variants }: Pick<Product, 'businessId' | 'variants'>,
  code?: string | null,
): Promise<Variant[]> {
  const allMarkets = (await loadMarketsOfBusiness(ctx, businessId)) ?? [];
  const markets =
    code == null ? allMarkets : allMarkets.filter(({ key }) => key === normalizeMarketCode(code));
  return variants.filter((variant) => markets.some((market) => findMarketPrice(variant, market)));
}

const noticeMessages = {
  NO_VARIANTS: 'The product has no variants, so customers cannot buy it. Add a variant.',
  NO_PRICE:
    'No variant has a price in the currency of a market, so customers cannot buy the product. Set `pricing.markets`.',
  OUT_OF_STOCK: 'No variant with a price is in stock, so customers cannot buy the product.',
} as const;

type NoticeCode = keyof typeof noticeMessages;

const ProductNoticeCodeEnum = builder.enumType('ProductNoticeCode', {
  description: 'Reason why customers cannot buy an ACTIVE product.',
  values: describedEnumValues<NoticeCode>({
    NO_VARIANTS: 'The product has no variants.',
    NO_PRICE: 'No variant has a price in any market, in the currency of the market.',
    OUT_OF_STOCK: 'No variant with a price is in stock.',
  }),
});

const ProductNoticeGraphqlType = builder.objectRef<NoticeCode>('ProductNotice').implement({
  description: 'Notice to staff about a product that is public but cannot be bought.',
  fields: (t) => ({
    code: t.field({
      type: ProductNoticeCodeEnum,
      description: 'Reason, for programs.',
      resolve: (code) => code,
    }),
    message: t.string({
      description: 'Reason and remedy, in English.',
      resolve: (code) => noticeMessages[code],
    }),
  }),
});

const isActive = ({ statuses }: Product) => statuses.at(-1)?.status === 'ACTIVE';

async function listNotices(ctx: Context, product: Product): Promise<NoticeCode[]> {
  const { businessId, variants } = product;
  if (!isActive(product) || !(await ctx.viewer.hasPermission('PRODUCTS_WRITE', businessId))) return [];
  if (variants.length === 0) return ['NO_VARIANTS'];
  const priced = await loadPricedVariants(ctx, product);
  if (priced.length === 0) return ['NO_PRICE'];
  return priced.some(isInStock) ? [] : ['OUT_OF_STOCK'];
}

const marketDescription = 'Code of the market, case-insensitive.';

builder.objectFields(ProductGraphqlType, (t) => ({
  priceRange: t.field({
    type: ProductPriceRangeGraphqlType,
    nullable: true,
    description:
      "Lowest and highest current price of one unit over the variants, including sales and the viewer's customer group prices. " +
      'Null when the market does not exist, or no variant has a price there in the currency of the market.',
    args: fieldArgs({ market: ['ID!', marketDescription] }),
    resolve: (product, { market }, ctx) => loadPriceRange(ctx, product, market, computePriceRange),
  }),
  compareAtPriceRange: t.field({
    type: ProductPriceRangeGraphqlType,
    nullable: true,
    description:
      'Prices before the reduction, over the variants that cost less now: the higher of `compareAtPrice` and the regular price. ' +
      'Null when no variant is reduced in the market.',
    args: fieldArgs({ market: ['ID!', marketDescription] }),
    resolve: (product, { market }, ctx) => loadPriceRange(ctx, product, market, computeCompareAtPriceRange),
  }),
  availableForSale: t.boolean({
    description:
      'Whether customers can buy the product: it is ACTIVE, and a variant in stock has a price in the market.',
    args: fieldArgs({ market: ['ID', `${marketDescription} Default: any market.`] }),
    resolve: async (product, { market }, ctx) =>
      isActive(product) && (await loadPricedVariants(ctx, product, market)).some(isInStock),
  }),
  notices: t.field({
    type: [ProductNoticeGraphqlType],
    description:
      'Why customers cannot buy the product although it is ACTIVE. Empty if they can, and for viewers without PRODUCTS_WRITE.',
    resolve: (product, _args, ctx) => listNotices(ctx, product),
  }),
}));

builder.objectField(VariantGraphqlType, 'availableForSale', (t) =>
  t.boolean({
    description:
      'Whether customers can buy the variant of an ACTIVE product: it is in stock and has a price in the market.',
    args: { market: t.arg.id({ description: `${marketDescription} Default: any market.` }) },
    resolve: async (variant, { market }, ctx) => {
      const { businessId } = variant;
      return (
        isInStock(variant) &&
        (await loadPricedVariants(ctx, { businessId, variants: [variant] }, market)).length > 0
      );
    },
  }),
);
