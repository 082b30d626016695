/** Payload schemas of the webhook events of orders and payments. */
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
const paymentStatus = enumField('PaymentStatus', 'Current payment status of the order.', 'PAID');

const facts = {
  id: idField('Id of the order.'),
  number: countField('Order number, counted per business from 1001.', 1001),
  businessId: businessIdField,
  customerId: idField(
    'Id of the customer, which may be a guest. Absent if the order has no customer.',
  ).optional(),
  status: orderStatus('Current status of the order.'),
  paymentStatus,
  market: textField('Code of the market.', 'US'),
  currency: currencyField,
  subtotal: moneyField('Sum of the lines, in minor units.', 4200),
  tax: moneyField('Tax, in minor units.', 0),
  shipping: moneyField('Shipping, in minor units.', 500),
  discount: moneyField('Discount, in minor units.', 0),
  total: moneyField('subtotal + tax + shipping - discount, in minor units.', 4700),
  version: versionField,
};

const order = eventDataSchema('Order', 'The order after the change.', facts);

const units = {
  line: countField('Index of the line in the order, from 0.', 0),
  quantity: countField('Number of units.', 1),
};

const shipment = eventDataSchema(
  'OrderFulfilment',
  'The order, and the shipment that was created or changed.',
  {
    ...facts,
    fulfilment: z
      .object({
        id: idField('Id of the shipment.'),
        status: enumField('FulfilmentStatus', 'Status of the shipment.', 'SHIPPED'),
        lines: listField(z.object(units), 'Units in the shipment.'),
        carrier: textField('Carrier.', 'DHL').optional(),
        trackingNumber: textField('Tracking number at the carrier.', '00340434161094042557').optional(),
        trackingUrl: textField('Tracking page.', 'https://track.example/00340434161094042557').optional(),
        createdAt: timeField('When it was shipped.'),
        deliveredAt: timeField('When it was marked as delivered.').optional(),
      })
      .meta({ description: 'The shipment.' }),
  },
);

const returned = eventDataSchema('OrderReturn', 'The order, and the return that was requested or decided.', {
  ...facts,
  return: z
    .object({
      id: idField('Id of the return.'),
      status: enumField('ReturnStatus', 'Status of the return.', 'ACCEPTED'),
      lines: listField(
        z.object({
          ...units,
          accepted: countField(
            'Accepted units, set on acceptance. Absent on an accepted return: all.',
            1,
          ).optional(),
          restock: flagField('Set on acceptance: whether the units return to stock.').optional(),
        }),
        'Units to return.',
      ),
      refusal: textField('Why the return, or part of it, was refused.', 'It was used.').optional(),
      refundIds: listField(
        idField('Id of a refund.'),
        'Set on acceptance: refunds for this return.',
      ).optional(),
      createdAt: timeField('When it was requested.'),
      decidedAt: timeField('When it was accepted, refused or withdrawn.').optional(),
      refundedAt: timeField('When the payment provider confirmed the refund.').optional(),
    })
    .meta({ description: "The return, without the customer's reason." }),
});

const payment = eventDataSchema('Payment', 'Change of the payment of an order.', {
  orderId: idField('Id of the order.'),
  businessId: businessIdField,
  paymentStatus,
  amount: moneyField(
    'Amount of this change in minor units: paid, due or refunded. Absent for a refund that staff only recorded.',
    4700,
  ).optional(),
  currency: currencyField,
  refunded: moneyField('Total refunded, in minor units.', 0),
  provider: textField(
    'Payment provider; absent if the payment is not made through one.',
    'stripe',
  ).optional(),
  version: versionField,
});

/** Reference to the order or subscription that a payment is for. */
const paymentSubject = {
  orderId: idField('Id of the order, if the payment was for one.').optional(),
  subscriptionId: idField('Id of the subscription, if the payment was for one.').optional(),
  businessId: businessIdField,
};

export const eventData = {
  'order.created': order,
  'order.updated': order,
  'order.status_changed': eventDataSchema('OrderStatusChanged', 'The order after its status changed.', {
    ...facts,
    previousStatus: orderStatus('Status before the change.'),
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
  'payment.returned': eventDataSchema(
    'PaymentReturned',
    'An unexpected payment that is being refunded in full.',
    {
      ...paymentSubject,
      amount: moneyField('How much, in minor units.', 4700),
      currency: currencyField,
      reason: textField('Why the payment was not accepted.', 'Paid twice'),
    },
  ),
  'payment.disputed': eventDataSchema(
    'PaymentDisputed',
    'A payment that the customer disputed with their bank.',
    {
      ...paymentSubject,
      amount: moneyField(
        'Disputed amount in minor units; absent if the provider does not report it.',
        4700,
      ).optional(),
      currency: currencyField.optional(),
    },
  ),
  'refund.failed': eventDataSchema(
    'RefundFailed',
    'A refund that the payment provider rejected; `retryRefund` tries it again.',
    {
      id: idField('Id of the refund.'),
      ...paymentSubject,
      amount: moneyField('How much, in minor units.', 4700),
      currency: currencyField,
      reason: textField(
        'Reason reported by the provider; absent if it reports none.',
        'expired_or_canceled_card',
      ).optional(),
    },
  ),
};
