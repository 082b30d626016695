/** Price, stock and picture of a product, for lists and the product page. */
import type { CardFragment } from '../generated/graphql';
import { type Child, h } from '../lib/dom.ts';
import { money } from '../lib/format.ts';

type Variant = CardFragment['variants'][number];
type Inventory = Variant['inventory'];

const priceOf = ({ pricing }: Variant, market: string) =>
  pricing.markets.find(({ marketId }) => marketId === market);

const notSold = () => h('span', { class: 'soft' }, 'Not sold there');

const amounts = (
  prefix: string,
  amount: number,
  before: number | null | undefined,
  currency: string,
): Child => [
  prefix,
  h('strong', {}, money(amount, currency)),
  before && [' ', h('s', {}, h('span', { class: 'unseen' }, 'before '), money(before, currency))],
];

export function price(variant: Variant | undefined, market: string): Child {
  const marketPrice = variant && priceOf(variant, market);
  if (!marketPrice) return notSold();
  return amounts('', marketPrice.price, marketPrice.compareAtPrice, marketPrice.currency);
}

/** Lowest price of all variants, with `from` if prices differ; the price before a reduction only if all cost the same. */
export function lowestPrice({ priceRange, compareAtPriceRange }: CardFragment): Child {
  if (!priceRange) return notSold();
  const { min, max } = priceRange;
  const isFixed = min.amount === max.amount;
  return amounts(
    isFixed ? '' : 'from ',
    min.amount,
    isFixed ? compareAtPriceRange?.min.amount : undefined,
    min.currency,
  );
}

export const isSoldOut = ({ tracked, quantity }: Inventory) => tracked && quantity <= 0;

export const isSold = (variant: Variant, market: string) => priceOf(variant, market) !== undefined;

export function stock(inventory: Inventory): Child {
  if (isSoldOut(inventory)) return h('span', { class: 'tag none' }, 'Sold out');
  if (inventory.tracked && inventory.isLow)
    return h('span', { class: 'tag low' }, `Only ${inventory.quantity} left`);
  return h('span', { class: 'tag' }, 'In stock');
}

/** Stock of all variants together. */
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
