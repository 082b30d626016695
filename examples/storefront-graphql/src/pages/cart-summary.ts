/** What a cart or an order costs, line by line, and what would keep it from being ordered. */
import type { Cart } from '../cart.ts';
import { type Child, h } from '../lib/dom.ts';
import { money } from '../lib/format.ts';
import { reasonOf } from '../lib/words.ts';

type Sum = 'subtotal' | 'discount' | 'shipping' | 'tax' | 'total';
type Sums = { readonly [Name in Sum]?: number | null } & { currency?: string | null };

const labels: readonly [Sum, string][] = [
  ['subtotal', 'Products'],
  ['discount', 'Discount'],
  ['shipping', 'Shipping'],
  ['tax', 'Tax'],
  ['total', 'Total'],
];

export const sums = (of: Sums): HTMLElement =>
  h(
    'dl',
    { class: 'sums' },
    labels.map(([name, label]) => {
      const amount = of[name];
      if (amount === null || amount === undefined || !of.currency) return null;
      if (name === 'discount' && amount === 0) return null;
      return h(
        'div',
        { class: name },
        h('dt', {}, label),
        h('dd', {}, `${name === 'discount' ? '−' : ''}${money(amount, of.currency)}`),
      );
    }),
  );

/** Lines tell for themselves what is wrong with them. */
const problems = ({ problems: all }: Cart): Child =>
  all
    .filter(({ field }) => !/^(lines|items)\b/.test(field))
    .map((problem) => h('p', { class: 'notice' }, reasonOf(problem)));

export const summary = (cart: Cart): Child => [sums(cart), problems(cart)];
