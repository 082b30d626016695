/** Result pages after a checkout without return URLs. They show the stored state of the order or subscription, not what the URL suggests. */
import type { Services } from '../../../context.ts';
import type { Db } from '../../../db/handles.ts';
import { loadShopBrand } from '../../../domains/branding/find-and-update-branding.ts';
import {
  type CheckoutResultSubscriptionStatus,
  findCheckoutResultSubscriptionStatus,
} from '../../../domains/newsletter/read/checkout-result-subscription-status.ts';
import {
  findPublicOrderStatus,
  type PublicOrderStatus,
} from '../../../domains/orders/read/find-public-order-status.ts';
import { checkoutCancelledPath, checkoutThanksPath } from '../../../domains/payments/return-urls.ts';
import { notFoundError } from '../../../errors.ts';
import { findOnServers } from '../../../find-on-servers.ts';
import type { Endpoint } from '../../endpoint-route.ts';
import { safeHtml } from '../html-template-and-page-frame.ts';
import { renderCardPage, renderShopLink } from './customer-page-layout.ts';

type TitleAndText = readonly [title: string, text: string];

const notPaidYet = 'We have not received a payment yet. Reload this page to check again.';

export function describeOrderStatus({
  status,
  payment,
}: Pick<PublicOrderStatus, 'status' | 'payment'>): TitleAndText {
  if (payment === 'REFUNDED')
    return ['Your order was refunded', 'The refund has been sent to your payment method.'];
  if (status === 'CANCELLED')
    return ['Your order was cancelled', 'Nothing more is charged, and any payment is refunded.'];
  if (status === 'SHIPPED') return ['Your order is on its way', 'It should arrive soon.'];
  if (status === 'DELIVERED') return ['Your order was delivered', 'We hope you like it.'];
  if (payment === 'FAILED')
    return ['The payment failed', 'Nothing was charged. Go back to the shop to try again.'];
  if (payment === 'PENDING') return ['Your order is awaiting payment', notPaidYet];
  return ['Thank you for your order', 'Your payment went through.'];
}

function subscriptionTexts({ status }: CheckoutResultSubscriptionStatus): TitleAndText {
  if (status === 'PENDING') return ['Your subscription is awaiting payment', notPaidYet];
  if (status === 'PENDING_CONFIRMATION')
    return ['Confirm your subscription', 'Open the link in the mail that we sent you.'];
  if (status !== 'ACTIVE') return ['Your subscription has ended', 'Nothing more is charged.'];
  return ['Thank you, you are subscribed', ''];
}

interface Result {
  businessId: string;
  texts: TitleAndText;
  /** The order number or the name of the newsletter. */
  note: string;
}

async function findResult(db: Db, query: URLSearchParams): Promise<Result | undefined> {
  const order = await findPublicOrderStatus(db, query.get('orderId') ?? '');
  if (order) {
    const { businessId, number } = order;
    return { businessId, texts: describeOrderStatus(order), note: `Order ${number}` };
  }
  const subscription = await findCheckoutResultSubscriptionStatus(db, query.get('subscriptionId') ?? '');
  if (!subscription) return undefined;
  const { businessId, newsletterName } = subscription;
  return { businessId, texts: subscriptionTexts(subscription), note: newsletterName };
}

/** 404 when neither the order nor the subscription exists. */
const resultPage = (services: Services, path: string): Endpoint => ({
  path,
  methods: ['GET'],
  async handle(request) {
    const query = new URLSearchParams(request.query);
    const found = await findOnServers(services, ({ db }) => findResult(db, query));
    if (!found) throw notFoundError('Order');
    const { result } = found;
    const [title, text] = result.texts;
    const brand = await loadShopBrand(services, found.services.db, result.businessId);
    return renderCardPage(
      title,
      safeHtml`<p role="status">${text}</p><p class="note">${result.note}</p>${renderShopLink(brand)}`,
      { brand },
    );
  },
});

export const createCheckoutResultEndpoints = (services: Services): Endpoint[] => [
  resultPage(services, checkoutThanksPath),
  resultPage(services, checkoutCancelledPath),
];
