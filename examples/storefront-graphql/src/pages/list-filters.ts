/** Filters and order of the product list: parsed from the URL, written to it, and converted to query variables. */
import type { CatalogueQueryVariables, ProductFilter, ProductSort } from '../generated/graphql';

export interface ListFilters {
  search: string;
  sort: ProductSort | undefined;
  categories: readonly string[];
  /** `min-max` in minor units. */
  price: string | undefined;
  inStock: boolean;
}

export const sorts: readonly (readonly [ProductSort | '', string])[] = [
  ['', 'Relevance'],
  ['NEWEST', 'Newest'],
  ['PRICE', 'Price, lowest first'],
  ['PRICE_DESC', 'Price, highest first'],
  ['NAME', 'Name'],
];

const findSort = (name: string | null) => sorts.map(([sort]) => sort).find((sort) => sort === name);

export const parseFilters = (query: URLSearchParams): ListFilters => ({
  search: query.get('q') ?? '',
  sort: findSort(query.get('sort')) || undefined,
  categories: query.getAll('category'),
  price: /^\d+-\d+$/.exec(query.get('price') ?? '')?.[0],
  inStock: query.has('stock'),
});

export const toQuery = ({ search, sort, categories, price, inStock }: ListFilters): URLSearchParams =>
  new URLSearchParams([
    ...(search ? [['q', search]] : []),
    ...categories.map((category) => ['category', category]),
    ...(price ? [['price', price]] : []),
    ...(inStock ? [['stock', '1']] : []),
    ...(sort ? [['sort', sort]] : []),
  ]);

type ListVariables = Omit<CatalogueQueryVariables, 'businessId'>;

export function toVariables(
  { search, sort, categories, price, inStock }: ListFilters,
  market: string,
): ListVariables {
  const [min, max] = price?.split('-').map(Number) ?? [];
  const byCategory: ProductFilter = categories.length > 0 ? { categories: [...categories] } : {};
  const byPrice: ProductFilter = max === undefined ? {} : { minPrice: min, maxPrice: max };
  const byStock: ProductFilter = inStock ? { inStock } : {};
  return {
    search: search || undefined,
    sort: sort ?? 'RELEVANCE',
    market,
    filter: { market, ...byCategory, ...byPrice, ...byStock },
    otherThanCategory: { market, ...byPrice, ...byStock },
    otherThanPrice: { market, ...byCategory, ...byStock },
    otherThanStock: { market, ...byCategory, ...byPrice },
  };
}
