/** Cart page: lines, delivery, promo code and totals. */
import * as cart from '../cart.ts';
import { isMember, run } from '../gateway.ts';
import { AddressesDocument } from '../generated/graphql';
import { fill, h, link } from '../lib/dom.ts';
import type { Page } from '../lib/router.ts';
import { lines } from './cart-lines.ts';
import { summary } from './cart-summary.ts';
import { delivery } from './delivery.ts';
import { promoCode } from './promo-code.ts';

export const cartPage: Page = async ({ signal }) => {
  const current = await cart.load();
  if (!current || current.lines.length === 0) return emptyCart;
  const profile = isMember() ? await run(AddressesDocument, {}, { signal }) : undefined;
  const list = h('div', {});
  const totals = h('div', {});
  const content = h(
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
        delivery(current, profile?.me.addresses ?? []),
      ),
    ),
    h(
      'section',
      { class: 'panel summary' },
      h('h2', {}, 'Summary'),
      promoCode(current),
      totals,
      h('button', { class: 'main', form: 'delivery' }, 'Check out'),
      !isMember() &&
        h('p', { class: 'soft' }, 'You buy as a guest, or ', link('/sign-in?to=/cart', 'sign in'), '.'),
    ),
  );
  cart.onCart((changed) => {
    // Checkout deletes the cart and opens the payment page.
    if (!changed) return;
    if (changed.lines.length === 0) return fill(content, emptyCart.body);
    fill(list, lines(changed));
    fill(totals, summary(changed));
  }, signal);
  return { title: 'Cart', body: [h('h1', {}, 'Your cart'), content] };
};

const emptyCart = {
  title: 'Cart',
  get body() {
    return [h('h1', {}, 'Your cart is empty'), h('p', {}, link('/', 'See what we have'))];
  },
};
