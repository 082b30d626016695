/** The list: search as one types, filters with counts, sorting, and more on demand. All of it is in the address. */
import { ask, businessId } from '../gateway.ts';
import {
  type CardFragment,
  CatalogueDocument,
  MoreProductsDocument,
  type PageFragment,
} from '../generated/graphql';
import { fill, h, link, status } from '../lib/dom.ts';
import { countOf } from '../lib/format.ts';
import type { Page } from '../lib/router.ts';
import { wordsOf } from '../lib/words.ts';
import { lowestPrice, picture, stockOf } from '../parts/products.ts';
import { market, shop } from '../shop-data.ts';
import { chosenIn, filterOf, variablesOf } from './list-choice.ts';
import { facets, sorting } from './list-facets.ts';

const typingPause = 150;

export const list: Page = async ({ url, signal }) => {
  const [{ business }, code] = await Promise.all([shop(), market()]);
  let chosen = chosenIn(url.searchParams);
  let asking = new AbortController();
  const count = status('count');
  const side = h('div', { class: 'facets' });
  const grid = h('div', { class: 'grid' });
  const more = h('div', { class: 'more' });

  /** What was given up for something newer has not failed. */
  const fail = (error: unknown) => {
    if (!(error instanceof Error && error.name === 'AbortError')) fill(count, wordsOf(error));
  };

  function card(product: CardFragment, { highlights }: PageFragment) {
    const pieces = highlights.find(({ productId }) => productId === product.id)?.name;
    const name = pieces?.map(({ text, matches }) => (matches ? h('mark', {}, text) : text)) ?? product.name;
    return h(
      'article',
      { class: 'card' },
      link(`/products/${product.slug}`, picture(product.gallery[0]?.url), h('h2', {}, name)),
      h('p', { class: 'price' }, lowestPrice(product, code)),
      h('p', {}, stockOf(product)),
    );
  }

  function append(page: PageFragment): void {
    grid.append(...page.nodes.map((product) => card(product, page)));
    const after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined;
    fill(
      more,
      after && h('button', { type: 'button', click: () => void showMore(after).catch(fail) }, 'Show more'),
    );
  }

  async function showMore(after: string): Promise<void> {
    const place = grid.children.length;
    const { search, sort, filter } = variablesOf(chosen, code);
    const { products } = await ask(
      MoreProductsDocument,
      { businessId, search, sort, filter, after },
      { signal },
    );
    append(products);
    grid.children[place]?.querySelector('a')?.focus();
  }

  async function refresh(): Promise<void> {
    asking.abort();
    asking = new AbortController();
    const until = AbortSignal.any([signal, asking.signal]);
    const found = await ask(
      CatalogueDocument,
      { businessId, ...variablesOf(chosen, code) },
      { signal: until },
    );
    if (until.aborted) return;
    fill(side, facets(found, { chosen, market: code, choose }));
    fill(grid);
    append(found.products);
    fill(count, countOf(found.products.totalCount, 'product'));
  }

  function choose(change: (now: typeof chosen) => Partial<typeof chosen>): void {
    chosen = { ...chosen, ...change(chosen) };
    const query = filterOf(chosen).toString();
    history.replaceState(null, '', query ? `/?${query}` : '/');
    refresh().catch(fail);
  }

  let typing: ReturnType<typeof setTimeout> | undefined;
  const search = h('input', {
    type: 'search',
    id: 'search',
    value: chosen.search,
    placeholder: 'Coffee, cups, grinders …',
    autocomplete: 'off',
    input: () => {
      clearTimeout(typing);
      typing = setTimeout(() => choose(() => ({ search: search.value })), typingPause);
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
        sorting(chosen, choose),
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
