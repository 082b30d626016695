/** What the events of orders and their payments carry. */
import { z } from 'zod';
import {
  businessIdField,
  countField,
  currencyField,
  enumField,
  eventDataSchema,
  flagField,
  idField,
  listField,
  moneyField,
  textField,
  timeField,
  versionField,
} from '../../lib/validation/event-fields.ts';

const orderStatus = (description: string) => enumField('OrderStatus', description, 'PENDING');
const paymentStatus = enumField('PaymentStatus', 'Where its payment stands.', 'PAID');

const facts = {
  id: idField('Id of the order.'),
  number: countField('Its readable number, counted per business.', 1001),
  businessId: businessIdField,
  customerId: idField('Who bought, if they have an account; may be a guest.').optional(),
  status: orderStatus('Its current status.'),
  paymentStatus,
  market: textField('Its market.', 'US'),
  currency: currencyField,
  subtotal: moneyField('Sum of the lines, in minor units.', 4200),
  tax: moneyField('Tax, in minor units.', 0),
  shipping: moneyField('Shipping, in minor units.', 500),
  discount: moneyField('Discount, in minor units.', 0),
  total: moneyField('What is to be paid, in minor units.', 4700),
  version: versionField,
};

const order = eventDataSchema('Order', 'An order, as it was after the change.', facts);

const units = {
  line: countField('Position of the line in the order, from 0.', 0),
  quantity: countField('Pieces.', 1),
};

const shipment = eventDataSchema('OrderFulfilment', 'An order and the shipment that is new or was changed.', {
  ...facts,
  fulfilment: z
    .object({
      id: idField('Id of the shipment.'),
      status: enumField('FulfilmentStatus', 'Where it stands.', 'SHIPPED'),
      lines: listField(z.object(units), 'What it holds.'),
      carrier: textField('Who brings it.', 'DHL').optional(),
      trackingNumber: textField('Its number there.', '00340434161094042557').optional(),
      trackingUrl: textField('Where to follow it.', 'https://track.example/00340434161094042557').optional(),
      createdAt: timeField('When it was shipped.'),
      deliveredAt: timeField('When it was told to have arrived.').optional(),
    })
    .meta({ description: 'The shipment.' }),
});

const returned = eventDataSchema('OrderReturn', 'An order and the return that is new or was decided.', {
  ...facts,
  return: z
    .object({
      id: idField('Id of the return.'),
      status: enumField('ReturnStatus', 'Where it stands.', 'ACCEPTED'),
      lines: listField(
        z.object({
          ...units,
          accepted: countField('Once accepted: how many of them. Absent: all.', 1).optional(),
          restock: flagField('Once accepted: whether they go back to stock.').optional(),
        }),
        'What comes back.',
      ),
      refusal: textField('Why it, or the rest of it, was refused.', 'It was used.').optional(),
      refundIds: listField(idField('A refund.'), 'Once accepted: the refunds it made.').optional(),
      createdAt: timeField('When it was asked for.'),
      decidedAt: timeField('When it was accepted, refused or withdrawn.').optional(),
      refundedAt: timeField('When the payment provider had sent the money.').optional(),
    })
    .meta({ description: 'The return, without the reason that the customer wrote.' }),
});

const payment = eventDataSchema('Payment', 'What became of the payment of an order.', {
  orderId: idField('The order.'),
  businessId: businessIdField,
  paymentStatus,
  amount: moneyField(
    'What was paid, is due, or went back this time, in minor units; absent for a refund that staff only recorded.',
    4700,
  ).optional(),
  currency: currencyField,
  refunded: moneyField('What went back in all, in minor units.', 0),
  provider: textField('Who takes the payment, if a payment provider does.', 'stripe').optional(),
  version: versionField,
});

/** The payment of an order or of a subscription. */
const paid = {
  orderId: idField('The order, if it was for one.').optional(),
  subscriptionId: idField('The subscription, if it was for one.').optional(),
  businessId: businessIdField,
};

export const eventData = {
  'order.created': order,
  'order.updated': order,
  'order.status_changed': eventDataSchema('OrderStatusChanged', 'An order that came to another status.', {
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
  'payment.returned': eventDataSchema('PaymentReturned', 'Money that fitted nothing, on its way back.', {
    ...paid,
    amount: moneyField('How much, in minor units.', 4700),
    currency: currencyField,
    reason: textField('Why it fitted nothing.', 'Paid twice'),
  }),
  'payment.disputed': eventDataSchema(
    'PaymentDisputed',
    'A payment that a customer disputes with their bank.',
    {
      ...paid,
      amount: moneyField('How much, in minor units, if the provider says.', 4700).optional(),
      currency: currencyField.optional(),
    },
  ),
  'refund.failed': eventDataSchema('RefundFailed', 'Money that did not get back; it can be tried again.', {
    id: idField('Id of the refund.'),
    ...paid,
    amount: moneyField('How much, in minor units.', 4700),
    currency: currencyField,
    reason: textField('What the provider says, if it does.', 'expired_or_canceled_card').optional(),
  }),
};
