/** Where customers end when the shop names no address of its own. */
import { cancelledPath, thanksPath } from '../../domains/checkout/return-urls.ts';
import { escapeHtml } from '../../lib/html.ts';
import type { Page } from './page.ts';
import { payPage } from './pay-layout.ts';

const resultPage =
  (title: string, text: string): Page =>
  (request) => {
    const orderId = new URLSearchParams(request.query).get('orderId')?.slice(0, 100);
    const order = orderId ? `<p class="note">Order ${escapeHtml(orderId)}</p>` : '';
    return payPage(
      title,
      `<main class="one"><section class="card"><h1>${title}</h1><p>${text}</p>${order}</section></main>`,
    );
  };

export const checkoutResultPages: readonly [string, Page][] = [
  [thanksPath, resultPage('Thank you for your order', 'Your payment went through. You can close this page.')],
  [
    cancelledPath,
    resultPage('Payment cancelled', 'Nothing was charged. You can close this page and order again.'),
  ],
];
