/** Entry point: loads the shop data, renders the layout and starts the router. */
import * as cart from './cart.ts';
import { h } from './lib/dom.ts';
import { errorMessages } from './lib/error-messages.ts';
import { start } from './lib/router.ts';
import { accountPage } from './pages/account.ts';
import { cartPage } from './pages/cart.ts';
import { list } from './pages/list.ts';
import { confirm, forgotPassword, resetPassword } from './pages/mail-links.ts';
import { orderPage } from './pages/order.ts';
import { product } from './pages/product.ts';
import { signInPage } from './pages/sign-in.ts';
import { footer, header } from './parts/layout.ts';
import { market, shop } from './shop-data.ts';

const pages = {
  '': list,
  products: product,
  cart: cartPage,
  order: orderPage,
  account: accountPage,
  'sign-in': signInPage,
  confirm,
  'forgot-password': forgotPassword,
  'reset-password': resetPassword,
};

const main = h('main', { id: 'main', tabindex: -1 });

try {
  const [data, code] = await Promise.all([shop(), market(), cart.load()]);
  const name = data.business?.name ?? 'Shop';
  document.body.replaceChildren(
    h('a', { class: 'skip', href: '#main' }, 'To the content'),
    header(data, code),
    main,
    footer(data),
  );
  await start(main, pages, (title) => `${title} · ${name}`);
} catch (error) {
  document.body.replaceChildren(
    h(
      'main',
      {},
      h('h1', {}, 'The shop is temporarily unavailable'),
      h('p', { role: 'alert' }, errorMessages(error).join(' ')),
    ),
  );
}

// Another device or tab may have changed the cart.
addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void cart.load().catch(() => undefined);
});
