/** Payload schemas of the webhook events of orders and payments. */
import { z } from 'zod';
import {
  businessIdEventField,
  currencyEventField,
  defineBooleanEventField,
  defineCountEventField,
  defineEnumEventField,
  defineEventDataSchema,
  defineIdEventField,
  defineListEventField,
  defineMoneyEventField,
  defineTextEventField,
  defineTimeEventField,
  versionEventField,
} from '../../lib/validation/webhook-event-field-schemas.ts';

const orderStatus = (description: string) => defineEnumEventField('OrderStatus', description, 'PENDING');
const paymentStatus = defineEnumEventField('PaymentStatus', 'Current payment status of the order.', 'PAID');

const facts = {
  id: defineIdEventField('Id of the order.'),
  number: defineCountEventField('Order number, counted per business from 1001.', 1001),
  businessId: businessIdEventField,
  customerId: defineIdEventField(
    'Id of the customer, which may be a guest. Absent if the order has no customer.',
  ).optional(),
  status: orderStatus('Current status of the order.'),
  paymentStatus,
  market: defineTextEventField('Code of the market.', 'US'),
  currency: currencyEventField,
  subtotal: defineMoneyEventField('Sum of the lines, in minor units.', 4200),
  tax: defineMoneyEventField('Tax, in minor units.', 0),
  shipping: defineMoneyEventField('Shipping, in minor units.', 500),
  discount: defineMoneyEventField('Discount, in minor units.', 0),
  total: defineMoneyEventField('subtotal + tax + shipping - discount, in minor units.', 4700),
  version: versionEventField,
};

const order = defineEventDataSchema('Order', 'The order after the change.', facts);

const units = {
  line: defineCountEventField('Index of the line in the order, from 0.', 0),
  quantity: defineCountEventField('Number of units.', 1),
};

const shipment = defineEventDataSchema(
  'OrderFulfilment',
  'The order, and the shipment that was created or changed.',
  {
    ...facts,
    fulfilment: z
      .object({
        id: defineIdEventField('Id of the shipment.'),
        status: defineEnumEventField('FulfilmentStatus', 'Status of the shipment.', 'SHIPPED'),
        lines: defineListEventField(z.object(units), 'Units in the shipment.'),
        carrier: defineTextEventField('Carrier.', 'DHL').optional(),
        trackingNumber: defineTextEventField(
          'Tracking number at the carrier.',
          '00340434161094042557',
        ).optional(),
        trackingUrl: defineTextEventField(
          'Tracking page.',
          'https://track.example/00340434161094042557',
        ).optional(),
        createdAt: defineTimeEventField('When it was shipped.'),
        deliveredAt: defineTimeEventField('When it was marked as delivered.').optional(),
      })
      .meta({ description: 'The shipment.' }),
  },
);

const returned = defineEventDataSchema(
  'OrderReturn',
  'The order, and the return that was requested or decided.',
  {
    ...facts,
    return: z
      .object({
        id: defineIdEventField('Id of the return.'),
        status: defineEnumEventField('ReturnStatus', 'Status of the return.', 'ACCEPTED'),
        lines: defineListEventField(
          z.object({
            ...units,
            accepted: defineCountEventField(
              'Accepted units, set on acceptance. Absent on an accepted return: all.',
              1,
            ).optional(),
            restock: defineBooleanEventField(
              'Set on acceptance: whether the units return to stock.',
            ).optional(),
          }),
          'Units to return.',
        ),
        refusal: defineTextEventField(
          'Why the return, or part of it, was refused.',
          'It was used.',
        ).optional(),
        refundIds: defineListEventField(
          defineIdEventField('Id of a refund.'),
          'Set on acceptance: refunds for this return.',
        ).optional(),
        createdAt: defineTimeEventField('When it was requested.'),
        decidedAt: defineTimeEventField('When it was accepted, refused or withdrawn.').optional(),
        refundedAt: defineTimeEventField('When the payment provider confirmed the refund.').optional(),
      })
      .meta({ description: "The return, without the customer's reason." }),
  },
);

const payment = defineEventDataSchema('Payment', 'Change of the payment of an order.', {
  orderId: defineIdEventField('Id of the order.'),
  businessId: businessIdEventField,
  paymentStatus,
  amount: defineMoneyEventField(
    'Amount of this change in minor units: paid, due or refunded. Absent for a refund that staff only recorded.',
    4700,
  ).optional(),
  currency: currencyEventField,
  refunded: defineMoneyEventField('Total refunded, in minor units.', 0),
  provider: defineTextEventField(
    'Payment provider; absent if the payment is not made through one.',
    'stripe',
  ).optional(),
  version: versionEventField,
});

/** Reference to the order or subscription that a payment is for. */
const paymentSubject = {
  orderId: defineIdEventField('Id of the order, if the payment was for one.').optional(),
  subscriptionId: defineIdEventField('Id of the subscription, if the payment was for one.').optional(),
  businessId: businessIdEventField,
};

export const eventDataSchemas = {
  'order.created': order,
  'order.updated': order,
  'order.status_changed': defineEventDataSchema('OrderStatusChanged', 'The order after its status changed.', {
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
  'payment.returned': defineEventDataSchema(
    'PaymentReturned',
    'An unexpected payment that is being refunded in full.',
    {
      ...paymentSubject,
      amount: defineMoneyEventField('How much, in minor units.', 4700),
      currency: currencyEventField,
      reason: defineTextEventField('Why the payment was not accepted.', 'Paid twice'),
    },
  ),
  'payment.disputed': defineEventDataSchema(
    'PaymentDisputed',
    'A payment that the customer disputed with their bank.',
    {
      ...paymentSubject,
      amount: defineMoneyEventField(
        'Disputed amount in minor units; absent if the provider does not report it.',
        4700,
      ).optional(),
      currency: currencyEventField.optional(),
    },
  ),
  'refund.failed': defineEventDataSchema(
    'RefundFailed',
    'A refund that the payment provider rejected; `retryRefund` tries it again.',
    {
      id: defineIdEventField('Id of the refund.'),
      ...paymentSubject,
      amount: defineMoneyEventField('How much, in minor units.', 4700),
      currency: currencyEventField,
      reason: defineTextEventField(
        'Reason reported by the provider; absent if it reports none.',
        'expired_or_canceled_card',
      ).optional(),
    },
  ),
};
