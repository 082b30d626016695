/** GraphQL types of what is told about a list of products: facets, highlights and suggestions. */
import { builder } from '../../../graphql/schema/builder.ts';
import { enumValues } from '../../../graphql/schema/type-helpers.ts';
import type { Page } from '../../../lib/paging.ts';
import type { Product } from '../model.ts';
import { requireProductListArgs } from '../read/list-products.ts';
import { ProductConnection } from '../types.ts';
import { type FacetCount, loadProductFacets, type PriceFacet, type ProductFacets } from './facets.ts';
import { createWordMatcher, highlightExcerpt, highlightMatches, type TextPiece } from './highlight.ts';
import type { Suggestion, suggestionKinds } from './suggestions.ts';
import { extractSearchWords } from './text-search.ts';

const FacetCountType = builder.objectRef<FacetCount>('FacetCount').implement({
  description: 'How many products of a result have a value.',
  fields: (t) => ({
    value: t.exposeString('value', {
      description: 'What these products have in common, to be sent as a filter.',
    }),
    count: t.exposeInt('count', { description: 'How many products have it.' }),
  }),
});

const AttributeFacetType = builder
  .objectRef<ProductFacets['attributes'][number]>('AttributeFacet')
  .implement({
    description: 'The values of an attribute among the products of a result.',
    fields: (t) => ({
      name: t.exposeString('name', { description: 'Such as `size`.' }),
      values: t.expose('values', {
        type: [FacetCountType],
        description: 'Its values, the most frequent first.',
      }),
    }),
  });

const PriceRangeType = builder.objectRef<PriceFacet['ranges'][number]>('PriceRange').implement({
  description: 'How many products of a result have their lowest price in a range.',
  fields: (t) => ({
    min: t.expose('min', { type: 'Money', description: 'The lowest price of the range.' }),
    max: t.expose('max', { type: 'Money', description: 'The highest price of the range.' }),
    count: t.exposeInt('count', { description: 'How many products are in it.' }),
  }),
});

const PriceFacetType = builder.objectRef<PriceFacet>('PriceFacet').implement({
  description: 'The lowest prices of the products of a result in a market.',
  fields: (t) => ({
    market: t.exposeID('market', { description: 'Code of the market, in small letters.' }),
    min: t.expose('min', { type: 'Money', description: 'The lowest.' }),
    max: t.expose('max', { type: 'Money', description: 'The highest.' }),
    ranges: t.expose('ranges', { type: [PriceRangeType], description: 'Ranges that are not empty.' }),
  }),
});

const ProductFacetsType = builder.objectRef<ProductFacets>('ProductFacets').implement({
  description: 'What the whole result of a list of products holds, as far as the viewer sees it.',
  fields: (t) => ({
    categories: t.expose('categories', { type: [FacetCountType], description: 'By category.' }),
    attributes: t.expose('attributes', {
      type: [AttributeFacetType],
      description: 'For each attribute of their variants, such as `size`, how many have which value.',
    }),
    prices: t.expose('prices', {
      type: [PriceFacetType],
      description: 'By price, in the market of the filter or in every market.',
    }),
    inStock: t.exposeInt('inStock', { description: 'Products of which something is left.' }),
    outOfStock: t.exposeInt('outOfStock', { description: 'Products of which nothing is left.' }),
  }),
});

const TextPieceType = builder.objectRef<TextPiece>('TextPiece').implement({
  description: 'A piece of a text. All pieces together are the text.',
  fields: (t) => ({
    text: t.exposeString('text', { description: 'As it was written.' }),
    matches: t.exposeBoolean('matches', { description: 'Whether it is what was searched for.' }),
  }),
});

interface Highlight {
  productId: string;
  name: TextPiece[];
  description: TextPiece[];
}

/** However often a document asks for them. */
const madeFor = new WeakMap<Page<Product>, Highlight[]>();
/** Of all descriptions of a page together so many signs are looked through: more would take a moment that others wait for. */
const maxSigns = 200_000;

function highlightsOf(page: Page<Product>): Highlight[] {
  const { search, query } = requireProductListArgs(page);
  const words = extractSearchWords(search ?? query ?? '');
  if (words.length === 0) return [];
  const isMatch = createWordMatcher(words);
  const signs = maxSigns / page.nodes.length;
  return page.nodes.map(({ id, name, description }) => ({
    productId: id,
    name: highlightMatches(name, isMatch),
    description: highlightExcerpt(description, isMatch, signs),
  }));
}

const ProductHighlightType = builder.objectRef<Highlight>('ProductHighlight').implement({
  description: 'Where a product of the page has the words that were searched for.',
  fields: (t) => ({
    productId: t.exposeID('productId', { description: 'Id of the product.' }),
    name: t.expose('name', { type: [TextPieceType], description: 'In pieces, of which some match.' }),
    description: t.expose('description', {
      type: [TextPieceType],
      description: 'Its description, or the part of it where the first match is.',
    }),
  }),
});

builder.objectFields(ProductConnection, (t) => ({
  facets: t.field({
    type: ProductFacetsType,
    description: 'What the whole result holds, not only the page. Counted only when asked for.',
    complexity: 50,
    resolve: (page, _args, ctx) => loadProductFacets(ctx, requireProductListArgs(page)),
  }),
  highlights: t.field({
    type: [ProductHighlightType],
    description:
      'Where each product of the page has the words that were searched for; empty without a search.',
    complexity: { field: 1, multiplier: 1 },
    resolve: (page) => {
      const made = madeFor.get(page) ?? highlightsOf(page);
      madeFor.set(page, made);
      return made;
    },
  }),
}));

const SuggestionKind = builder.enumType('SuggestionKind', {
  description: 'What a suggestion leads to.',
  values: enumValues<(typeof suggestionKinds)[number]>({
    CATEGORY: 'A category that products have.',
    PRODUCT: 'The name of a product.',
  }),
});

export const SuggestionType = builder.objectRef<Suggestion>('Suggestion').implement({
  description: 'What somebody who types may be looking for.',
  fields: (t) => ({
    kind: t.expose('kind', { type: SuggestionKind, description: 'What it leads to.' }),
    text: t.exposeString('text', { description: 'The category, or the name of the product.' }),
    productId: t.exposeID('productId', { nullable: true, description: 'Id of the product.' }),
  }),
});
