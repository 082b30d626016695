/** What businesses are told about their orders: read off the order before and after a change. Pure. */
import { canonicalJson } from '../../lib/json/canonical-json.ts';
import type { WebhookEvent, WebhookEventType } from '../webhooks/events.ts';
import type { Order, OrderReturn } from './model.ts';
import { currentStatus, type PaymentStatus } from './status-transitions.ts';

/** `provider` takes the payments of orders that were paid, or are to be paid, at a payment provider. */
export function orderEvents(before: Order | undefined, order: Order, provider: string): WebhookEvent[] {
  if (!before) return [{ type: 'order.created', data: factsOf(order) }];
  const events: WebhookEvent[] = [];
  if (contentOf(before) !== contentOf(order)) events.push({ type: 'order.updated', data: factsOf(order) });
  const previousStatus = currentStatus(before.statuses);
  if (previousStatus !== currentStatus(order.statuses))
    events.push({ type: 'order.status_changed', data: { ...factsOf(order), previousStatus } });
  events.push(...goodsEvents(before, order), ...returnEvents(before, order));
  const payment = paymentType(before, order);
  if (payment) events.push({ type: payment, data: paymentFacts(payment, before, order, provider) });
  return events;
}

/** What was shipped, and what became of it. */
function goodsEvents(before: Order, order: Order): WebhookEvent[] {
  const known = new Map(before.fulfilments?.map((fulfilment) => [fulfilment.id, canonicalJson(fulfilment)]));
  return (order.fulfilments ?? []).flatMap((fulfilment): WebhookEvent[] => {
    const earlier = known.get(fulfilment.id);
    if (earlier === canonicalJson(fulfilment)) return [];
    const type = earlier === undefined ? 'order.fulfilled' : 'order.fulfilment_updated';
    return [{ type, data: { ...factsOf(order), fulfilment } }];
  });
}

/** Not why: that is what the customer wrote. */
function returnEvents(before: Order, order: Order): WebhookEvent[] {
  const known = new Map(before.returns?.map(({ id, status }) => [id, status]));
  return (order.returns ?? []).flatMap(({ reason: _, ...one }): WebhookEvent[] =>
    known.get(one.id) === one.status
      ? []
      : [{ type: byReturnStatus[one.status], data: { ...factsOf(order), return: one } }],
  );
}

const byReturnStatus = {
  REQUESTED: 'order.return_requested',
  ACCEPTED: 'order.return_accepted',
  REFUSED: 'order.return_refused',
  WITHDRAWN: 'order.return_withdrawn',
} as const satisfies Readonly<Record<OrderReturn['status'], WebhookEventType>>;

const factsOf = (order: Order) => ({
  id: order.id,
  number: order.number,
  businessId: order.businessId,
  customerId: order.customerId,
  status: currentStatus(order.statuses),
  paymentStatus: currentStatus(order.paymentStatus),
  market: order.market,
  currency: order.currency,
  subtotal: order.subtotal,
  tax: order.tax,
  shipping: order.shipping,
  discount: order.discount,
  total: order.total,
  version: order.version,
});

/** What an update of an order can change, but for its statuses. */
const contentOf = ({ lines, blocks, customerId, market, currency, ...order }: Order): string =>
  canonicalJson([
    lines.map(({ variantId, quantity, unitPrice }) => [variantId, quantity, unitPrice]),
    [blocks, customerId, market, currency, order.promoCode, order.shippingMethodId],
    [order.shippingAddress, order.billingAddress, order.locale],
    [order.subtotal, order.tax, order.shipping, order.discount, order.total],
  ]);

const byPaymentStatus = {
  PENDING: undefined,
  PAID: 'payment.paid',
  FAILED: 'payment.failed',
  PARTIALLY_REFUNDED: 'payment.refunded',
  REFUNDED: 'payment.refunded',
} as const satisfies Readonly<Record<PaymentStatus, WebhookEventType | undefined>>;

type PaymentType = NonNullable<(typeof byPaymentStatus)[PaymentStatus]>;

/** A second refund in part leaves the status as it is, and is news all the same. */
function paymentType(before: Order, order: Order): PaymentType | undefined {
  if (order.refunded > before.refunded) return 'payment.refunded';
  // Money that did not get back is told by what happened to its refund.
  if (order.refunded < before.refunded) return undefined;
  const status = currentStatus(order.paymentStatus);
  return status === currentStatus(before.paymentStatus) ? undefined : byPaymentStatus[status];
}

function paymentFacts(type: PaymentType, before: Order, order: Order, provider: string) {
  const isAtProvider = order.captured > 0 || order.paymentMethod !== undefined;
  return {
    orderId: order.id,
    businessId: order.businessId,
    paymentStatus: currentStatus(order.paymentStatus),
    // A refund that staff only recorded does not say how much it was.
    amount:
      type === 'payment.refunded'
        ? order.refunded - before.refunded || undefined
        : order.captured || order.total,
    currency: order.currency,
    refunded: order.refunded,
    provider: isAtProvider ? provider : undefined,
    version: order.version,
  };
}
