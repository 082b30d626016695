/** Where customers end when the shop names no address of its own: the page says how the order stands, not what the address claims. */
import type { Db } from '../../db/sql.ts';
import { type OrderState, orderState } from '../../domains/orders/order-state.ts';
import { cancelledPath, thanksPath } from '../../domains/payments/return-urls.ts';
import { notFound } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { markup } from './html.ts';
import { page } from './layout.ts';

type Words = readonly [title: string, text: string];

/** Subscriptions come back without an order: their payment is told by mail. */
const thanks: Words = ['Thank you', 'You can close this page.'];
const unknown: Words = ['Payment cancelled', 'You can close this page and order again.'];

function wordsFor({ status, payment }: OrderState): Words {
  if (payment === 'REFUNDED') return ['Your order was refunded', 'The money is on its way back to you.'];
  if (status === 'CANCELLED')
    return ['Your order was cancelled', 'Nothing more is charged, and what was paid goes back.'];
  if (payment === 'FAILED')
    return ['The payment did not work', 'Nothing was charged. Go back to the shop to try again.'];
  if (payment === 'PENDING')
    return [
      'Your order waits for its payment',
      'We have heard of no payment yet. This page knows more when you reload it.',
    ];
  return ['Thank you for your order', 'Your payment went through. You can close this page.'];
}

/** An order that is not there is 404: nobody is thanked, or told of a payment, for nothing. */
const resultPage = (db: Db, path: string, withoutOrder: Words): Endpoint => ({
  path,
  methods: ['GET'],
  async handle(request) {
    const orderId = new URLSearchParams(request.query).get('orderId');
    const state = orderId === null ? undefined : await orderState(db, orderId);
    if (orderId !== null && !state) throw notFound('Order');
    const [title, text] = state ? wordsFor(state) : withoutOrder;
    return page(
      title,
      markup`<main class="one"><section class="card"><h1>${title}</h1><p role="status">${text}</p>${state && markup`<p class="note">Order ${state.number}</p>`}</section></main>`,
    );
  },
});

export const checkoutResultPages = (db: Db): Endpoint[] => [
  resultPage(db, thanksPath, thanks),
  resultPage(db, cancelledPath, unknown),
];
