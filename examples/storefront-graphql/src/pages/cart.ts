/** The cart: what is in it, what has changed since, where it goes, and what all of it costs. */
import * as cart from '../cart.ts';
import { ask, isMember } from '../gateway.ts';
import { AddressesDocument } from '../generated/graphql';
import { fill, h, link } from '../lib/dom.ts';
import type { Page } from '../lib/router.ts';
import { shippingTo } from '../shop-data.ts';
import { lines } from './cart-lines.ts';
import { summary } from './cart-summary.ts';
import { delivery } from './delivery.ts';
import { promoCode } from './promo-code.ts';

export const cartPage: Page = async ({ signal }) => {
  const found = await cart.load();
  if (!found || found.lines.length === 0) return empty;
  const [methods, known] = await Promise.all([
    shippingTo(found.market),
    isMember() ? ask(AddressesDocument, {}, { signal }) : undefined,
  ]);
  const list = h('div', {});
  const sums = h('div', {});
  const whole = h(
    'div',
    { class: 'sided wide' },
    h(
      'div',
      {},
      h('section', { 'aria-label': 'In your cart' }, list),
      h(
        'section',
        { class: 'panel' },
        h('h2', {}, 'Delivery'),
        delivery(found, methods, known?.me.addresses ?? []),
      ),
    ),
    h(
      'section',
      { class: 'panel summary' },
      h('h2', {}, 'Summary'),
      promoCode(found),
      sums,
      h('button', { class: 'main', form: 'delivery' }, 'Check out'),
      !isMember() &&
        h('p', { class: 'soft' }, 'You buy as a guest, or ', link('/sign-in?to=/cart', 'sign in'), '.'),
    ),
  );
  cart.onCart((now) => {
    // Ordering empties it; then the page that takes the payment comes next.
    if (!now) return;
    if (now.lines.length === 0) return fill(whole, empty.body);
    fill(list, lines(now));
    fill(sums, summary(now));
  }, signal);
  return { title: 'Cart', body: [h('h1', {}, 'Your cart'), whole] };
};

const empty = {
  title: 'Cart',
  get body() {
    return [h('h1', {}, 'Your cart is empty'), h('p', {}, link('/', 'See what we have'))];
  },
};
