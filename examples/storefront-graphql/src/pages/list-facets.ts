/** The filters beside the list, each with how much it would find. */
import type { CatalogueQuery } from '../generated/graphql';
import { type Child, h } from '../lib/dom.ts';
import { money } from '../lib/format.ts';
import { type Choice, chosenIn, sorts } from './list-choice.ts';

/** From what is chosen when it is done: the list may not have followed yet. */
type Choose = (change: (now: Choice) => Partial<Choice>) => void;

interface Shown {
  chosen: Choice;
  market: string;
  choose: Choose;
}

interface Option {
  id: string;
  text: string;
  count: number;
  isChosen: boolean;
  toggle(isChosen: boolean): void;
}

const option = ({ id, text, count, isChosen, toggle }: Option) => {
  const box = h('input', { type: 'checkbox', id, checked: isChosen, change: () => toggle(box.checked) });
  return h('label', { for: id }, box, h('span', {}, text), h('span', { class: 'count' }, count));
};

const group = (legend: string, options: Child[]) =>
  options.length > 0 && h('fieldset', {}, h('legend', {}, legend), options);

export function facets(found: CatalogueQuery, { chosen, market, choose }: Shown): Child {
  const { categories, price, inStock } = chosen;
  const prices = found.byPrice.facets.prices.find(
    (facet) => facet.market.toLowerCase() === market.toLowerCase(),
  );
  const currency = currencyOf(found, market);
  return [
    group(
      'Category',
      found.byCategory.facets.categories.map(({ value, count }) =>
        option({
          id: `category-${value}`,
          text: value,
          count,
          isChosen: categories.includes(value),
          toggle: (isChosen) =>
            choose((now) => {
              const others = now.categories.filter((category) => category !== value);
              return { categories: isChosen ? [...others, value] : others };
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
            text: currency ? `${money(min, currency)} – ${money(max, currency)}` : range,
            count,
            isChosen: price === range,
            toggle: (isChosen) => choose(() => ({ price: isChosen ? range : undefined })),
          });
        }),
    ),
    group('Availability', [
      option({
        id: 'in-stock',
        text: 'In stock',
        count: found.byStock.facets.inStock,
        isChosen: inStock,
        toggle: (isChosen) => choose(() => ({ inStock: isChosen })),
      }),
    ]),
    (categories.length > 0 || price || inStock) &&
      h(
        'button',
        {
          type: 'button',
          class: 'quiet',
          id: 'clear',
          click: () => choose(({ search, sort }) => ({ ...chosenIn(new URLSearchParams()), search, sort })),
        },
        'Clear filters',
      ),
  ];
}

const currencyOf = ({ products }: CatalogueQuery, market: string): string | undefined =>
  products.nodes
    .flatMap(({ variants }) => variants.flatMap(({ pricing }) => pricing.markets))
    .find(({ marketId }) => marketId === market)?.currency;

export function sorting(chosen: Choice, choose: Choose): HTMLElement {
  const select = h(
    'select',
    {
      id: 'sort',
      change: () => choose(() => ({ sort: sorts.find(([sort]) => sort === select.value)?.[0] || undefined })),
    },
    sorts.map(([sort, text]) => h('option', { value: sort, selected: sort === (chosen.sort ?? '') }, text)),
  );
  return h('div', { class: 'field' }, h('label', { for: 'sort' }, 'Sort by'), select);
}
