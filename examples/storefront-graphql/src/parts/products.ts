/** What lists and pages show of a product: its price, what is left of it, its picture. */
import type { CardFragment } from '../generated/graphql';
import { type Child, h } from '../lib/dom.ts';
import { money } from '../lib/format.ts';

type Variant = CardFragment['variants'][number];
type Inventory = Variant['inventory'];

const priceOf = ({ pricing }: Variant, market: string) =>
  pricing.markets.find(({ marketId }) => marketId === market);

export function price(variant: Variant | undefined, market: string, before = ''): Child {
  const found = variant && priceOf(variant, market);
  if (!found) return h('span', { class: 'soft' }, 'Not sold there');
  const { price: amount, compareAtPrice, currency } = found;
  return [
    before,
    h('strong', {}, money(amount, currency)),
    compareAtPrice && [
      ' ',
      h('s', {}, h('span', { class: 'unseen' }, 'before '), money(compareAtPrice, currency)),
    ],
  ];
}

/** The lowest price; `from` where others cost more. */
export function lowestPrice({ variants }: CardFragment, market: string): Child {
  const sold = variants.flatMap((variant) => {
    const found = priceOf(variant, market);
    return found ? [{ variant, amount: found.price }] : [];
  });
  const [lowest] = sold.toSorted((a, b) => a.amount - b.amount);
  const differs = sold.some(({ amount }) => amount !== lowest?.amount);
  return price(lowest?.variant, market, differs ? 'from ' : '');
}

export const isSoldOut = ({ tracked, quantity }: Inventory) => tracked && quantity <= 0;

export const isSold = (variant: Variant, market: string) => priceOf(variant, market) !== undefined;

export function stock(inventory: Inventory): Child {
  if (isSoldOut(inventory)) return h('span', { class: 'tag none' }, 'Sold out');
  if (inventory.tracked && inventory.isLow)
    return h('span', { class: 'tag low' }, `Only ${inventory.quantity} left`);
  return h('span', { class: 'tag' }, 'In stock');
}

/** Of all variants together. */
export const stockOf = ({ variants }: CardFragment) =>
  stock({
    tracked: variants.every(({ inventory }) => inventory.tracked),
    quantity: variants.reduce((sum, { inventory }) => sum + Math.max(0, inventory.quantity), 0),
    isLow: variants.every(({ inventory }) => inventory.isLow || isSoldOut(inventory)),
  });

export const picture = (url: string | undefined, lazy = true) =>
  url
    ? h('img', { src: url, alt: '', width: 800, height: 600, loading: lazy ? 'lazy' : undefined })
    : h('span', { class: 'picture' });
