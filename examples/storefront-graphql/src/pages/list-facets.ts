/** Filter panel and sort selection of the product list; each filter shows its number of products. */
import type { CatalogueQuery } from '../generated/graphql';
import { type Child, h } from '../lib/dom.ts';
import { money } from '../lib/format.ts';
import { type ListFilters, parseFilters, sorts } from './list-filters.ts';

/** Changes the filters. The callback gets the current ones, which the rendered panel may not show yet. */
type ChangeFilters = (change: (current: ListFilters) => Partial<ListFilters>) => void;

interface PanelOptions {
  filters: ListFilters;
  market: string;
  currency: string;
  changeFilters: ChangeFilters;
}

interface Option {
  id: string;
  text: string;
  count: number;
  isSelected: boolean;
  toggle(isSelected: boolean): void;
}

const option = ({ id, text, count, isSelected, toggle }: Option) => {
  const box = h('input', { type: 'checkbox', id, checked: isSelected, change: () => toggle(box.checked) });
  return h('label', { for: id }, box, h('span', {}, text), h('span', { class: 'count' }, count));
};

const group = (legend: string, options: Child[]) =>
  options.length > 0 && h('fieldset', {}, h('legend', {}, legend), options);

export function facets(
  catalogue: CatalogueQuery,
  { filters, market, currency, changeFilters }: PanelOptions,
): Child {
  const { categories, price, inStock } = filters;
  const prices = catalogue.byPrice.facets.prices.find(
    (facet) => facet.market.toLowerCase() === market.toLowerCase(),
  );
  return [
    group(
      'Category',
      catalogue.byCategory.facets.categories
        // Products without a category are counted, too.
        .filter(({ value }) => value !== '')
        .map(({ value, count }) =>
          option({
            id: `category-${value}`,
            text: value,
            count,
            isSelected: categories.includes(value),
            toggle: (isSelected) =>
              changeFilters((current) => {
                const others = current.categories.filter((category) => category !== value);
                return { categories: isSelected ? [...others, value] : others };
              }),
          }),
        ),
    ),
    group(
      'Price',
      (prices?.ranges ?? [])
        .filter(({ count }) => count > 0)
        .map(({ min, max, count }) => {
          const range = `${min}-${max}`;
          return option({
            id: `price-${range}`,
            text: `${money(min, currency)} – ${money(max, currency)}`,
            count,
            isSelected: price === range,
            toggle: (isSelected) => changeFilters(() => ({ price: isSelected ? range : undefined })),
          });
        }),
    ),
    group('Availability', [
      option({
        id: 'in-stock',
        text: 'In stock',
        count: catalogue.byStock.facets.inStock,
        isSelected: inStock,
        toggle: (isSelected) => changeFilters(() => ({ inStock: isSelected })),
      }),
    ]),
    (categories.length > 0 || price || inStock) &&
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          id: 'clear',
          click: () =>
            changeFilters(({ search, sort }) => ({ ...parseFilters(new URLSearchParams()), search, sort })),
        },
        'Clear filters',
      ),
  ];
}

export function sorting(filters: ListFilters, changeFilters: ChangeFilters): HTMLElement {
  const select = h(
    'select',
    {
      id: 'sort',
      change: () =>
        changeFilters(() => ({ sort: sorts.find(([sort]) => sort === select.value)?.[0] || undefined })),
    },
    sorts.map(([sort, text]) => h('option', { value: sort, selected: sort === (filters.sort ?? '') }, text)),
  );
  return h('div', { class: 'field' }, h('label', { for: 'sort' }, 'Sort by'), select);
}
