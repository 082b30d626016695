/** Where customers end when the shop names no address of its own. */
import { cancelledPath, thanksPath } from '../../domains/payments/return-urls.ts';
import type { Endpoint } from '../endpoint.ts';
import { markup } from './html.ts';
import { page } from './layout.ts';

const resultPage = (path: string, title: string, text: string): Endpoint => ({
  path,
  methods: ['GET'],
  handle(request) {
    const query = new URLSearchParams(request.query);
    const order = (query.get('orderNumber') ?? query.get('orderId'))?.slice(0, 100);
    return page(
      title,
      markup`<main class="one"><section class="card"><h1>${title}</h1><p>${text}</p>${order && markup`<p class="note">Order ${order}</p>`}</section></main>`,
    );
  },
});

export const checkoutResultPages: readonly Endpoint[] = [
  resultPage(thanksPath, 'Thank you for your order', 'Your payment went through. You can close this page.'),
  resultPage(
    cancelledPath,
    'Payment cancelled',
    'Nothing was charged. You can close this page and order again.',
  ),
];
