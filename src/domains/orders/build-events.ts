/** Webhook events of an order, derived from the difference between two versions of it. Pure. */
import { canonicalJson } from '../../lib/json/canonical-json.ts';
import type { WebhookEvent, WebhookEventType } from '../webhooks/webhook-event-types.ts';
import type { Order, OrderReturn } from './model.ts';
import { currentStatus, type PaymentStatus } from './status-transitions.ts';

/** `provider`: name of the configured payment provider, reported for orders that are paid through it. */
export function buildOrderEvents(before: Order | undefined, order: Order, provider: string): WebhookEvent[] {
  if (!before) return [{ type: 'order.created', data: orderData(order) }];
  const events: WebhookEvent[] = [];
  if (contentFingerprint(before) !== contentFingerprint(order))
    events.push({ type: 'order.updated', data: orderData(order) });
  const previousStatus = currentStatus(before.statuses);
  if (previousStatus !== currentStatus(order.statuses))
    events.push({ type: 'order.status_changed', data: { ...orderData(order), previousStatus } });
  events.push(...fulfilmentEvents(before, order), ...returnEvents(before, order));
  const payment = paymentEventType(before, order);
  if (payment) events.push({ type: payment, data: paymentData(payment, before, order, provider) });
  return events;
}

/** New and changed shipments. */
function fulfilmentEvents(before: Order, order: Order): WebhookEvent[] {
  const previous = new Map(
    before.fulfilments?.map((fulfilment) => [fulfilment.id, canonicalJson(fulfilment)]),
  );
  return (order.fulfilments ?? []).flatMap((fulfilment): WebhookEvent[] => {
    const earlier = previous.get(fulfilment.id);
    if (earlier === canonicalJson(fulfilment)) return [];
    const type = earlier === undefined ? 'order.fulfilled' : 'order.fulfilment_updated';
    return [{ type, data: { ...orderData(order), fulfilment } }];
  });
}

/** Omits the customer's reason: free text may contain personal data. */
function returnEvents(before: Order, order: Order): WebhookEvent[] {
  const previous = new Map(before.returns?.map(({ id, status }) => [id, status]));
  return (order.returns ?? []).flatMap(
    ({ reason: _, restockedAt: _restockedAt, ...orderReturn }): WebhookEvent[] =>
      previous.get(orderReturn.id) === orderReturn.status
        ? []
        : [
            {
              type: eventByReturnStatus[orderReturn.status],
              data: { ...orderData(order), return: orderReturn },
            },
          ],
  );
}

const eventByReturnStatus = {
  REQUESTED: 'order.return_requested',
  ACCEPTED: 'order.return_accepted',
  REFUSED: 'order.return_refused',
  WITHDRAWN: 'order.return_withdrawn',
} as const satisfies Readonly<Record<OrderReturn['status'], WebhookEventType>>;

const orderData = (order: Order) => ({
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

/** Everything that `updateOrder` can change, except statuses. */
const contentFingerprint = ({ lines, blocks, customerId, market, currency, ...order }: Order): string =>
  canonicalJson([
    lines.map(({ variantId, quantity, unitPrice }) => [variantId, quantity, unitPrice]),
    [blocks, customerId, market, currency, order.promoCode, order.shippingMethodId],
    [order.shippingAddress, order.billingAddress, order.locale, order.contactEmail, order.contactPhone],
    [order.subtotal, order.tax, order.shipping, order.discount, order.total],
  ]);

const eventByPaymentStatus = {
  PENDING: undefined,
  PAID: 'payment.paid',
  FAILED: 'payment.failed',
  PARTIALLY_REFUNDED: 'payment.refunded',
  REFUNDED: 'payment.refunded',
} as const satisfies Readonly<Record<PaymentStatus, WebhookEventType | undefined>>;

type PaymentEventType = NonNullable<(typeof eventByPaymentStatus)[PaymentStatus]>;

/** Every captured payment and every refund emits an event, also when the payment status stays the same. */
function paymentEventType(before: Order, order: Order): PaymentEventType | undefined {
  if (order.captured > before.captured) return 'payment.paid';
  if (order.refunded > before.refunded) return 'payment.refunded';
  // A refund that failed afterwards emits `refund.failed` instead.
  if (order.refunded < before.refunded) return undefined;
  const status = currentStatus(order.paymentStatus);
  return status === currentStatus(before.paymentStatus) ? undefined : eventByPaymentStatus[status];
}

function paymentData(type: PaymentEventType, before: Order, order: Order, provider: string) {
  const isAtProvider = order.captured > 0 || order.paymentMethod !== undefined;
  const captured = order.captured - before.captured || order.captured;
  return {
    orderId: order.id,
    businessId: order.businessId,
    paymentStatus: currentStatus(order.paymentStatus),
    // Undefined when staff only recorded REFUNDED: no money moved.
    amount:
      type === 'payment.refunded' ? order.refunded - before.refunded || undefined : captured || order.total,
    currency: order.currency,
    refunded: order.refunded,
    provider: isAtProvider ? provider : undefined,
    version: order.version,
  };
}
