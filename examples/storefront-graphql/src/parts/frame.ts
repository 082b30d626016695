/** What is around every page: the way home, to the account and to the cart, and where one buys. */
import * as cart from '../cart.ts';
import type { ShopQuery } from '../generated/graphql';
import { fill, h, link } from '../lib/dom.ts';
import { again } from '../lib/router.ts';
import { chooseMarket, shippingTo } from '../shop-data.ts';
import { newsletter } from './newsletter.ts';

/** A cart goes along into another market, with a way of shipping that is there. */
async function move(code: string): Promise<void> {
  chooseMarket(code);
  const current = await cart.load();
  const methods = await shippingTo(code);
  const kept = methods.find(({ id }) => id === current?.shippingMethodId) ?? methods[0];
  if (current) await cart.change({ market: code, ...(kept ? { shippingMethodId: kept.id } : {}) });
  await again();
}

export function header({ business, markets }: ShopQuery, market: string): HTMLElement {
  const count = h('span', { class: 'count' });
  const select = h(
    'select',
    { id: 'market', change: () => void move(select.value) },
    markets.nodes.map(({ code, currency }) =>
      h('option', { value: code, selected: code === market }, `${code} · ${currency}`),
    ),
  );
  cart.onCart((now) => fill(count, h('span', { class: 'unseen' }, 'with '), cart.countIn(now)));
  return h(
    'header',
    {},
    h('a', { class: 'brand', href: '/' }, business?.name ?? 'Shop'),
    h(
      'nav',
      { 'aria-label': 'Shop' },
      h('label', { class: 'unseen', for: 'market' }, 'Where you buy'),
      select,
      link('/account', 'Account'),
      link('/cart', 'Cart ', count),
    ),
  );
}

export const footer = (shop: ShopQuery): HTMLElement =>
  h(
    'footer',
    {},
    newsletter(shop),
    h(
      'p',
      { class: 'soft' },
      `${shop.business?.name ?? 'This shop'} is an example: nothing is charged, nothing is shipped.`,
    ),
  );
