/** Product list with incremental search, filters with counts, sorting and paging. Search, filters and order are in the URL. */
import { businessId, run } from '../gateway.ts';
import {
  type CardFragment,
  CatalogueDocument,
  MoreProductsDocument,
  type PageFragment,
} from '../generated/graphql';
import { fill, h, link, status } from '../lib/dom.ts';
import { errorMessages } from '../lib/error-messages.ts';
import { formatCount } from '../lib/format.ts';
import { pathTo } from '../lib/paths.ts';
import { type Page, pushUrl } from '../lib/router.ts';
import { lowestPrice, picture, stockOf } from '../parts/products.ts';
import { market, shop } from '../shop-data.ts';
import { facets, sorting } from './list-facets.ts';
import { parseFilters, toQuery, toVariables } from './list-filters.ts';

const searchDebounceMs = 150;

export const list: Page = async ({ url, signal }) => {
  const [{ business, markets }, code] = await Promise.all([shop(), market()]);
  const currency = markets.nodes.find((one) => one.code === code)?.currency ?? 'USD';
  let filters = parseFilters(url.searchParams);
  let currentQuery = new AbortController();
  const count = status('count');
  const side = h('div', { class: 'facets' });
  const grid = h('div', { class: 'grid' });
  const more = h('div', { class: 'more' });

  /** Ignores requests that a newer one has aborted. */
  const showError = (error: unknown) => {
    if (!(error instanceof Error && error.name === 'AbortError')) fill(count, errorMessages(error));
  };

  function card(product: CardFragment, { highlights }: PageFragment) {
    const fragments = highlights.find(({ productId }) => productId === product.id)?.name;
    const name =
      fragments?.map(({ text, matches }) => (matches ? h('mark', {}, text) : text)) ?? product.name;
    return h(
      'article',
      { class: 'card' },
      link(`/products/${product.slug}`, picture(product.featuredImage?.url), h('h2', {}, name)),
      h('p', { class: 'price' }, lowestPrice(product)),
      product.priceRange && h('p', {}, stockOf(product)),
    );
  }

  function append(page: PageFragment): void {
    grid.append(...page.nodes.map((product) => card(product, page)));
    const after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined;
    fill(
      more,
      after &&
        h('button', { type: 'button', click: () => void showMore(after).catch(showError) }, 'Show more'),
    );
  }

  async function showMore(after: string): Promise<void> {
    const firstNewIndex = grid.children.length;
    const { search, sort, filter } = toVariables(filters, code);
    const { products } = await run(
      MoreProductsDocument,
      { businessId, market: code, search, sort, filter, after },
      { signal },
    );
    append(products);
    grid.children[firstNewIndex]?.querySelector('a')?.focus();
  }

  async function refresh(): Promise<void> {
    currentQuery.abort();
    currentQuery = new AbortController();
    const querySignal = AbortSignal.any([signal, currentQuery.signal]);
    const catalogue = await run(
      CatalogueDocument,
      { businessId, ...toVariables(filters, code) },
      { signal: querySignal },
    );
    if (querySignal.aborted) return;
    fill(side, facets(catalogue, { filters, market: code, currency, changeFilters }));
    fill(grid);
    append(catalogue.products);
    fill(count, formatCount(catalogue.products.totalCount, 'product'));
    if (catalogue.products.totalCount === 0)
      fill(
        more,
        h('p', {}, 'Nothing matches your search and filters.'),
        h('button', { type: 'button', click: showEverything }, 'Show all products'),
      );
  }

  /** Back returns to the previous filters; while the visitor types, only the URL changes. */
  function changeFilters(
    change: (current: typeof filters) => Partial<typeof filters>,
    isTyping = false,
  ): void {
    filters = { ...filters, ...change(filters) };
    const query = toQuery(filters).toString();
    const path = pathTo(query ? `/?${query}` : '/');
    if (isTyping) history.replaceState(null, '', path);
    else pushUrl(path);
    refresh().catch(showError);
  }

  const showEverything = () => {
    search.value = '';
    changeFilters(() => parseFilters(new URLSearchParams()));
  };

  let searchTimer: ReturnType<typeof setTimeout> | undefined;
  const search = h('input', {
    type: 'search',
    id: 'search',
    value: filters.search,
    placeholder: 'Coffee, cups, grinders …',
    autocomplete: 'off',
    input: () => {
      clearTimeout(searchTimer);
      searchTimer = setTimeout(() => changeFilters(() => ({ search: search.value }), true), searchDebounceMs);
    },
  });

  await refresh();
  const isWide = matchMedia('(min-width: 48rem)').matches;
  return {
    title: 'All products',
    body: [
      h('h1', {}, business?.name ?? 'Shop'),
      h(
        'search',
        { class: 'bar' },
        h('div', { class: 'field' }, h('label', { for: 'search' }, 'Search'), search),
        sorting(filters, changeFilters),
      ),
      h(
        'div',
        { class: 'sided' },
        h('details', { open: isWide, class: 'filters' }, h('summary', {}, 'Filter'), side),
        h('section', { 'aria-label': 'Products' }, count, grid, more),
      ),
    ],
  };
};
