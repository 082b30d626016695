/** What the events of orders and their payments carry. */
import { z } from 'zod';
import {
  businessId,
  count,
  currency,
  data,
  flag,
  id,
  list,
  money,
  oneOf,
  text,
  time,
  version,
} from '../../lib/event-shapes.ts';

const orderStatus = (description: string) => oneOf('OrderStatus', description, 'PENDING');
const paymentStatus = oneOf('PaymentStatus', 'Where its payment stands.', 'PAID');

const facts = {
  id: id('Id of the order.'),
  number: count('Its readable number, counted per business.', 1001),
  businessId,
  customerId: id('Who bought, if they have an account; may be a guest.').optional(),
  status: orderStatus('Its current status.'),
  paymentStatus,
  market: text('Its market.', 'US'),
  currency,
  subtotal: money('Sum of the lines, in minor units.', 4200),
  tax: money('Tax, in minor units.', 0),
  shipping: money('Shipping, in minor units.', 500),
  discount: money('Discount, in minor units.', 0),
  total: money('What is to be paid, in minor units.', 4700),
  version,
};

const order = data('Order', 'An order, as it was after the change.', facts);

const units = {
  line: count('Position of the line in the order, from 0.', 0),
  quantity: count('Pieces.', 1),
};

const shipment = data('OrderFulfilment', 'An order and the shipment that is new or was changed.', {
  ...facts,
  fulfilment: z
    .object({
      id: id('Id of the shipment.'),
      status: oneOf('FulfilmentStatus', 'Where it stands.', 'SHIPPED'),
      lines: list(z.object(units), 'What it holds.'),
      carrier: text('Who brings it.', 'DHL').optional(),
      trackingNumber: text('Its number there.', '00340434161094042557').optional(),
      trackingUrl: text('Where to follow it.', 'https://track.example/00340434161094042557').optional(),
      createdAt: time('When it was shipped.'),
      deliveredAt: time('When it was told to have arrived.').optional(),
    })
    .meta({ description: 'The shipment.' }),
});

const returned = data('OrderReturn', 'An order and the return that is new or was decided.', {
  ...facts,
  return: z
    .object({
      id: id('Id of the return.'),
      status: oneOf('ReturnStatus', 'Where it stands.', 'ACCEPTED'),
      lines: list(
        z.object({
          ...units,
          accepted: count('Once accepted: how many of them. Absent: all.', 1).optional(),
          restock: flag('Once accepted: whether they go back to stock.').optional(),
        }),
        'What comes back.',
      ),
      refusal: text('Why it, or the rest of it, was refused.', 'It was used.').optional(),
      refundIds: list(id('A refund.'), 'Once accepted: the refunds it made.').optional(),
      createdAt: time('When it was asked for.'),
      decidedAt: time('When it was accepted, refused or withdrawn.').optional(),
      refundedAt: time('When the payment provider had sent the money.').optional(),
    })
    .meta({ description: 'The return, without the reason that the customer wrote.' }),
});

const payment = data('Payment', 'What became of the payment of an order.', {
  orderId: id('The order.'),
  businessId,
  paymentStatus,
  amount: money(
    'What was paid, is due, or went back this time, in minor units; absent for a refund that staff only recorded.',
    4700,
  ).optional(),
  currency,
  refunded: money('What went back in all, in minor units.', 0),
  provider: text('Who takes the payment, if a payment provider does.', 'stripe').optional(),
  version,
});

/** The payment of an order or of a subscription. */
const paid = {
  orderId: id('The order, if it was for one.').optional(),
  subscriptionId: id('The subscription, if it was for one.').optional(),
  businessId,
};

export const eventData = {
  'order.created': order,
  'order.updated': order,
  'order.status_changed': data('OrderStatusChanged', 'An order that came to another status.', {
    ...facts,
    previousStatus: orderStatus('The status before.'),
  }),
  'order.fulfilled': shipment,
  'order.fulfilment_updated': shipment,
  'order.return_requested': returned,
  'order.return_accepted': returned,
  'order.return_refused': returned,
  'order.return_withdrawn': returned,
  'payment.paid': payment,
  'payment.failed': payment,
  'payment.refunded': payment,
  'payment.returned': data('PaymentReturned', 'Money that fitted nothing, on its way back.', {
    ...paid,
    amount: money('How much, in minor units.', 4700),
    currency,
    reason: text('Why it fitted nothing.', 'Paid twice'),
  }),
  'payment.disputed': data('PaymentDisputed', 'A payment that a customer disputes with their bank.', {
    ...paid,
    amount: money('How much, in minor units, if the provider says.', 4700).optional(),
    currency: currency.optional(),
  }),
  'refund.failed': data('RefundFailed', 'Money that did not get back; it can be tried again.', {
    id: id('Id of the refund.'),
    ...paid,
    amount: money('How much, in minor units.', 4700),
    currency,
    reason: text('What the provider says, if it does.', 'expired_or_canceled_card').optional(),
  }),
};
