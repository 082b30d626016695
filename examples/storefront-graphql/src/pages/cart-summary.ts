/** Totals of a cart or an order, and problems that prevent checkout. */
import type { Cart } from '../cart.ts';
import { type Child, h } from '../lib/dom.ts';
import { detailMessage } from '../lib/error-messages.ts';
import { money } from '../lib/format.ts';

type TotalName = 'subtotal' | 'discount' | 'shipping' | 'tax' | 'total';
type Totals = { readonly [Name in TotalName]?: number | null } & { currency?: string | null };

const labels: readonly [TotalName, string][] = [
  ['subtotal', 'Products'],
  ['discount', 'Discount'],
  ['shipping', 'Shipping'],
  ['tax', 'Tax'],
  ['total', 'Total'],
];

export const renderTotals = (totals: Totals): HTMLElement =>
  h(
    'dl',
    { class: 'sums' },
    labels.map(([name, label]) => {
      const amount = totals[name];
      if (amount === null || amount === undefined || !totals.currency) return null;
      if (name === 'discount' && amount === 0) return null;
      return h(
        'div',
        { class: name },
        h('dt', {}, label),
        h('dd', {}, `${name === 'discount' ? '−' : ''}${money(amount, totals.currency)}`),
      );
    }),
  );

/** Problems of lines are shown at the lines. */
const problems = ({ problems: all }: Cart): Child =>
  all
    .filter(({ field }) => !/^(lines|items)\b/.test(field))
    .map((problem) => h('p', { class: 'notice' }, detailMessage(problem)));

export const summary = (cart: Cart): Child => [renderTotals(cart), problems(cart)];
