/** Header and footer of every page: navigation, market selection and newsletter. */
import * as cart from '../cart.ts';
import type { ShopQuery } from '../generated/graphql';
import { fill, h, link } from '../lib/dom.ts';
import { pathTo } from '../lib/paths.ts';
import { reload } from '../lib/router.ts';
import { chooseMarket, shippingMethodsFor } from '../shop-data.ts';
import { newsletter } from './newsletter.ts';

/** Switches the market, also of the cart, with a shipping method of the new market. */
async function switchMarket(code: string): Promise<void> {
  chooseMarket(code);
  const current = await cart.load();
  const methods = await shippingMethodsFor(code);
  const method = methods.find(({ id }) => id === current?.shippingMethodId) ?? methods[0];
  if (current) await cart.change({ market: code, ...(method ? { shippingMethodId: method.id } : {}) });
  await reload();
}

export function header({ business, markets }: ShopQuery, market: string): HTMLElement {
  const count = h('span', { class: 'count' });
  const select = h(
    'select',
    { id: 'market', change: () => void switchMarket(select.value) },
    markets.nodes.map(({ code, currency }) =>
      h('option', { value: code, selected: code === market }, `${code} · ${currency}`),
    ),
  );
  cart.onCart((current) => fill(count, h('span', { class: 'unseen' }, 'with '), cart.countUnits(current)));
  return h(
    'header',
    {},
    h('a', { class: 'brand', href: pathTo('/') }, business?.name ?? 'Shop'),
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
