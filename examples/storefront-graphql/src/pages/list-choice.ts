/** What a visitor has chosen of the list: read from the address, written to it, and asked for. */
import type { CatalogueQueryVariables, ProductFilter, ProductSort } from '../generated/graphql';

export interface Choice {
  search: string;
  sort: ProductSort | undefined;
  categories: readonly string[];
  /** `min-max` in minor units. */
  price: string | undefined;
  inStock: boolean;
}

export const sorts: readonly (readonly [ProductSort | '', string])[] = [
  ['', 'What fits best'],
  ['NEWEST', 'Newest'],
  ['PRICE', 'Price, lowest first'],
  ['PRICE_DESC', 'Price, highest first'],
  ['NAME', 'Name'],
];

const sortNamed = (name: string | null) => sorts.map(([sort]) => sort).find((sort) => sort === name);

export const chosenIn = (query: URLSearchParams): Choice => ({
  search: query.get('q') ?? '',
  sort: sortNamed(query.get('sort')) || undefined,
  categories: query.getAll('category'),
  price: /^\d+-\d+$/.exec(query.get('price') ?? '')?.[0],
  inStock: query.has('stock'),
});

export const filterOf = ({ search, sort, categories, price, inStock }: Choice): URLSearchParams =>
  new URLSearchParams([
    ...(search ? [['q', search]] : []),
    ...categories.map((category) => ['category', category]),
    ...(price ? [['price', price]] : []),
    ...(inStock ? [['stock', '1']] : []),
    ...(sort ? [['sort', sort]] : []),
  ]);

type Filters = Omit<CatalogueQueryVariables, 'businessId'>;

export function variablesOf({ search, sort, categories, price, inStock }: Choice, market: string): Filters {
  const [min, max] = price?.split('-').map(Number) ?? [];
  const byCategory: ProductFilter = categories.length > 0 ? { categories: [...categories] } : {};
  const byPrice: ProductFilter = max === undefined ? {} : { minPrice: min, maxPrice: max };
  const byStock: ProductFilter = inStock ? { inStock } : {};
  return {
    search: search || undefined,
    sort: sort ?? 'RELEVANCE',
    filter: { market, ...byCategory, ...byPrice, ...byStock },
    besideCategory: { market, ...byPrice, ...byStock },
    besidePrice: { market, ...byCategory, ...byStock },
    besideStock: { market, ...byCategory, ...byPrice },
  };
}
