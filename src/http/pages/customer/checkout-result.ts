/** Where customers end when the shop names no address of its own: the page says how things stand, not what the address claims. */
import type { Db } from '../../../db/handles.ts';
import { loadBusinessName } from '../../../domains/businesses/businesses.ts';
import {
  findSubscriptionStatus,
  type SubscriptionStatusView,
} from '../../../domains/newsletter/read/subscription-status.ts';
import {
  findPublicOrderStatus,
  type PublicOrderStatus,
} from '../../../domains/orders/read/public-order-status.ts';
import { checkoutCancelledPath, checkoutThanksPath } from '../../../domains/payments/return-urls.ts';
import { notFoundError } from '../../../errors.ts';
import type { Endpoint } from '../../endpoint.ts';
import { markup } from '../html.ts';
import { renderCardPage } from './layout.ts';

type Words = readonly [title: string, text: string];

const later = 'We have heard of no payment yet. This page knows more when you reload it.';

function wordsForOrder({ status, payment }: PublicOrderStatus): Words {
  if (payment === 'REFUNDED') return ['Your order was refunded', 'The money is on its way back to you.'];
  if (status === 'CANCELLED')
    return ['Your order was cancelled', 'Nothing more is charged, and what was paid goes back.'];
  if (payment === 'FAILED')
    return ['The payment did not work', 'Nothing was charged. Go back to the shop to try again.'];
  if (payment === 'PENDING') return ['Your order waits for its payment', later];
  return ['Thank you for your order', 'Your payment went through. You can close this page.'];
}

function wordsForSubscription({ status, isPlanChangePending: isChanging }: SubscriptionStatusView): Words {
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
  const order = await findPublicOrderStatus(db, query.get('orderId') ?? '');
  if (order) {
    const { businessId, number } = order;
    return { businessId, words: wordsForOrder(order), note: `Order ${number}` };
  }
  const subscription = await findSubscriptionStatus(db, query.get('subscriptionId') ?? '');
  if (!subscription) return undefined;
  const { businessId, newsletterName: letter } = subscription;
  return { businessId, words: wordsForSubscription(subscription), note: letter };
}

/** What is not there is 404: nobody is thanked, or told of a payment, for nothing. */
const resultPage = (db: Db, path: string): Endpoint => ({
  path,
  methods: ['GET'],
  async handle(request) {
    const result = await resultFor(db, new URLSearchParams(request.query));
    if (!result) throw notFoundError('Order');
    const [title, text] = result.words;
    return renderCardPage(title, markup`<p role="status">${text}</p><p class="note">${result.note}</p>`, {
      businessName: await loadBusinessName(db, result.businessId),
    });
  },
});

export const checkoutResultPages = (db: Db): Endpoint[] => [
  resultPage(db, checkoutThanksPath),
  resultPage(db, checkoutCancelledPath),
];
