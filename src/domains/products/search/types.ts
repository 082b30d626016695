/** GraphQL types of product search: facets and highlights of a list, and suggestions. */
import { builder } from '../../../graphql/schema/builder.ts';
import { outputFields } from '../../../graphql/schema/field-tables.ts';
import { describedEnumValues } from '../../../graphql/schema/payload-and-enum-helpers.ts';
import type { Page } from '../../../lib/paging.ts';
import type { Category } from '../../categories/model.ts';
import { loadCategory } from '../../categories/read/load-categories.ts';
import { CategoryGraphqlType } from '../../categories/types.ts';
import type { Product } from '../model.ts';
import { listProductsArgsOfPage } from '../read/list-products.ts';
import { ProductConnection } from '../types.ts';
import {
  type FacetCount,
  loadProductFacets,
  type PriceFacet,
  type PriceRange,
  type ProductFacets,
} from './facets.ts';
import {
  createWordMatcher,
  type HighlightedTextPiece,
  highlightExcerpt,
  highlightMatches,
} from './split-into-highlighted-pieces.ts';
import type { SearchSuggestion, searchSuggestionKinds } from './suggestions.ts';
import { extractSearchWords } from './text-search.ts';

const FacetCountGraphqlType = builder.objectRef<FacetCount>('FacetCount').implement({
  description: 'Number of products in a result that have a value.',
  fields: outputFields({
    value: ['String!', 'The value; usable in `ProductFilter`.'],
    count: ['Int!', 'Number of products with the value.'],
  }),
});

const CategoryFacetGraphqlType = builder
  .objectRef<{ category: Category; count: number }>('CategoryFacet')
  .implement({
    description: 'Number of products in a category of a result, including its sub-categories.',
    fields: outputFields((t) => ({
      category: t.expose('category', {
        type: CategoryGraphqlType,
        description: 'Record with its texts and its place in the tree.',
      }),
      count: ['Int!', 'Number of products in the category and its sub-categories.'],
    })),
  });

const AttributeFacetGraphqlType = builder
  .objectRef<ProductFacets['attributes'][number]>('AttributeFacet')
  .implement({
    description: 'Values of a variant attribute among the products of a result.',
    fields: outputFields((t) => ({
      name: ['String!', 'Name of the attribute, such as `size`.'],
      values: t.expose('values', {
        type: [FacetCountGraphqlType],
        description: 'Values of the attribute, the most frequent first.',
      }),
    })),
  });

export const PriceRangeGraphqlType = builder.objectRef<PriceRange>('PriceRange').implement({
  description: 'Number of products in a result whose lowest price is in a range.',
  fields: outputFields({
    min: ['Money!', 'Lower bound, inclusive, in minor units.'],
    max: ['Money!', 'Upper bound, inclusive, in minor units.'],
    count: ['Int!', 'Number of products in the range.'],
  }),
});

export const PriceFacetGraphqlType = builder.objectRef<PriceFacet>('PriceFacet').implement({
  description: 'Distribution of the lowest price per product in one market.',
  fields: outputFields((t) => ({
    market: ['ID!', 'Code of the market, in lower case.'],
    min: ['Money!', 'Minimum, in minor units.'],
    max: ['Money!', 'Maximum, in minor units.'],
    ranges: t.expose('ranges', {
      type: [PriceRangeGraphqlType],
      description: 'Up to five ranges between round amounts, such as 50.00 to 99.99; empty ones are omitted.',
    }),
  })),
});

const ProductFacetsGraphqlType = builder.objectRef<ProductFacets>('ProductFacets').implement({
  description:
    'Facets of a whole product list result, of the products that the viewer may see. At most 200 values per facet.',
  fields: outputFields((t) => ({
    categories: t.expose('categories', {
      type: [FacetCountGraphqlType],
      description: 'Number of products per text in `category`, with or without a category record.',
    }),
    categoryTree: t.field({
      type: [CategoryFacetGraphqlType],
      description:
        'Number of products per category record, sub-categories included; those with the most products first.',
      complexity: { field: 5, multiplier: 20 },
      resolve: async ({ categoryTree }, _args, ctx) => {
        const loadedCategories = await Promise.all(categoryTree.map(({ id }) => loadCategory(ctx, id)));
        // A category that was deleted meanwhile is left out.
        return loadedCategories.flatMap((category, index) =>
          category ? [{ category, count: categoryTree[index]?.count ?? 0 }] : [],
        );
      },
    }),
    attributes: t.expose('attributes', {
      type: [AttributeFacetGraphqlType],
      description: 'Number of products per value of each variant attribute, such as `size`.',
    }),
    prices: t.expose('prices', {
      type: [PriceFacetGraphqlType],
      description: 'Price ranges in the market of the filter, or in every market without one.',
    }),
    inStock: ['Int!', 'Number of products with stock left.'],
    outOfStock: ['Int!', 'Number of products that are out of stock.'],
  })),
});

const TextPieceGraphqlType = builder.objectRef<HighlightedTextPiece>('TextPiece').implement({
  description: 'Piece of a text. The concatenation of all pieces is the text.',
  fields: outputFields({
    text: ['String!', 'The piece, unescaped.'],
    matches: ['Boolean!', 'Whether the piece matches the search.'],
  }),
});

interface Highlight {
  productId: string;
  name: HighlightedTextPiece[];
  description: HighlightedTextPiece[];
}

/** Highlights per page, so that aliases of the field in one document compute them once. */
const highlightsByPage = new WeakMap<Page<Product>, Highlight[]>();
/** Maximum number of characters scanned in all descriptions of a page: more would block the event loop. */
const maxScannedCharacters = 200_000;

function computeHighlights(page: Page<Product>): Highlight[] {
  const { search, query } = listProductsArgsOfPage(page);
  const words = extractSearchWords(search ?? query ?? '');
  if (words.length === 0) return [];
  const isMatch = createWordMatcher(words);
  const maxScanned = maxScannedCharacters / page.nodes.length;
  return page.nodes.map(({ id, name, description }) => ({
    productId: id,
    name: highlightMatches(name, isMatch),
    description: highlightExcerpt(description, isMatch, maxScanned),
  }));
}

const ProductHighlightGraphqlType = builder.objectRef<Highlight>('ProductHighlight').implement({
  description: 'Search matches in the name and description of a product on the page.',
  fields: outputFields((t) => ({
    productId: ['ID!', 'Id of the product.'],
    name: t.expose('name', {
      type: [TextPieceGraphqlType],
      description: 'The name, split into matching and other pieces.',
    }),
    description: t.expose('description', {
      type: [TextPieceGraphqlType],
      description: 'The description, or about 160 characters of it around the first match.',
    }),
  })),
});

builder.objectFields(ProductConnection, (t) => ({
  facets: t.field({
    type: ProductFacetsGraphqlType,
    description: 'Facets of the whole result, not only the page. Computed only when selected.',
    complexity: 50,
    resolve: (page, _args, ctx) => loadProductFacets(ctx, listProductsArgsOfPage(page)),
  }),
  highlights: t.field({
    type: [ProductHighlightGraphqlType],
    description: 'Search matches in each product of the page; empty without a search.',
    complexity: { field: 1, multiplier: 1 },
    resolve: (page) => {
      const highlights = highlightsByPage.get(page) ?? computeHighlights(page);
      highlightsByPage.set(page, highlights);
      return highlights;
    },
  }),
}));

const SuggestionKind = builder.enumType('SuggestionKind', {
  description: 'Source of a suggested text.',
  values: describedEnumValues<(typeof searchSuggestionKinds)[number]>({
    CATEGORY: 'A category of products.',
    PRODUCT: 'Name of a product.',
  }),
});

export const SuggestionGraphqlType = builder.objectRef<SearchSuggestion>('Suggestion').implement({
  description: 'Suggestion for a partially typed search.',
  fields: outputFields((t) => ({
    kind: t.expose('kind', { type: SuggestionKind, description: 'Kind of the suggestion.' }),
    text: ['String!', 'Category or product name.'],
    productId: ['ID', 'Id of the product; null for a category.'],
  })),
});
