/** Where customers end when the shop names no address of its own: the page says how things stand, not what the address claims. */
import type { Db } from '../../db/sql.ts';
import { businessName } from '../../domains/businesses/businesses.ts';
import { type SubscriptionState, subscriptionState } from '../../domains/newsletter/subscription-state.ts';
import { type OrderState, orderState } from '../../domains/orders/order-state.ts';
import { cancelledPath, thanksPath } from '../../domains/payments/return-urls.ts';
import { notFound } from '../../errors.ts';
import type { Endpoint } from '../endpoint.ts';
import { markup } from './html.ts';
import { cardPage } from './layout.ts';

type Words = readonly [title: string, text: string];

const later = 'We have heard of no payment yet. This page knows more when you reload it.';

function wordsForOrder({ status, payment }: OrderState): Words {
  if (payment === 'REFUNDED') return ['Your order was refunded', 'The money is on its way back to you.'];
  if (status === 'CANCELLED')
    return ['Your order was cancelled', 'Nothing more is charged, and what was paid goes back.'];
  if (payment === 'FAILED')
    return ['The payment did not work', 'Nothing was charged. Go back to the shop to try again.'];
  if (payment === 'PENDING') return ['Your order waits for its payment', later];
  return ['Thank you for your order', 'Your payment went through. You can close this page.'];
}

function wordsForSubscription({ status, isChanging }: SubscriptionState): Words {
  if (status === 'PENDING') return ['Your subscription waits for its payment', later];
  if (status === 'PENDING_CONFIRMATION')
    return ['Your subscription waits for you', 'Use the link in the mail that we sent you.'];
  if (status !== 'ACTIVE') return ['Your subscription has ended', 'Nothing more is charged.'];
  if (isChanging) return ['Your new plan waits for its payment', `Until then the old one goes on. ${later}`];
  return ['Thank you, you are subscribed', 'You can close this page.'];
}

interface Result {
  businessId: string;
  words: Words;
  /** What it is about. */
  note: string;
}

async function resultFor(db: Db, query: URLSearchParams): Promise<Result | undefined> {
  const order = await orderState(db, query.get('orderId') ?? '');
  if (order) {
    const { businessId, number } = order;
    return { businessId, words: wordsForOrder(order), note: `Order ${number}` };
  }
  const subscription = await subscriptionState(db, query.get('subscriptionId') ?? '');
  if (!subscription) return undefined;
  const { businessId, letter } = subscription;
  return { businessId, words: wordsForSubscription(subscription), note: letter };
}

/** What is not there is 404: nobody is thanked, or told of a payment, for nothing. */
const resultPage = (db: Db, path: string): Endpoint => ({
  path,
  methods: ['GET'],
  async handle(request) {
    const result = await resultFor(db, new URLSearchParams(request.query));
    if (!result) throw notFound('Order');
    const [title, text] = result.words;
    return cardPage(title, markup`<p role="status">${text}</p><p class="note">${result.note}</p>`, {
      from: await businessName(db, result.businessId),
    });
  },
});

export const checkoutResultPages = (db: Db): Endpoint[] => [
  resultPage(db, thanksPath),
  resultPage(db, cancelledPath),
];
