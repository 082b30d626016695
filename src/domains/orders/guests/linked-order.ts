/** GraphQL query of an order by its mailed link: what the page of the link shows, without addresses and contacts, because links can be forwarded. */
import type { Context } from '../../../context.ts';
import { currencyPropertyTypeOptions } from '../../../graphql/schema/add-price-and-date-time-siblings.ts';
import { existingBusinessScope } from '../../../graphql/schema/auth-scopes.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { FulfilmentGraphqlType } from '../fulfilment/types.ts';
import { OrderStatusEnum, PaymentStatusEnum } from '../graphql-enums.ts';
import type { Order, OrderLine } from '../model.ts';
import { currentStatus } from '../status-transitions.ts';
import { findOrderOfLink } from './order-links.ts';

const LinkedOrderLineGraphqlType = builder
  .objectRef<OrderLine & { currency: string }>('LinkedOrderLine')
  .implement({
    ...currencyPropertyTypeOptions,
    description: 'Line of an order that is read by its link.',
    fields: (t) => ({
      productId: t.exposeID('productId', { description: 'Id of the product.' }),
      variantId: t.exposeID('variantId', { description: 'Id of the variant.' }),
      name: t.exposeString('name', { description: 'Name of the product at the time of sale.' }),
      variantName: t.exposeString('variantName', {
        nullable: true,
        description: 'Name of the variant at the time of sale; null if it had none.',
      }),
      quantity: t.exposeInt('quantity', { description: 'Number of units.' }),
      unitPrice: t.expose('unitPrice', { type: 'Money', description: 'Price of one unit, in minor units.' }),
      totalPrice: t.expose('totalPrice', {
        type: 'Money',
        description: 'quantity times unitPrice, in minor units.',
      }),
    }),
  });

const LinkedOrderGraphqlType = builder.objectRef<Order>('LinkedOrder').implement({
  description:
    'What a mailed link shows of an order: no address and no contact, because links can be forwarded.',
  fields: (t) => ({
    orderId: t.exposeID('id', { description: 'Id of the order.' }),
    businessId: t.exposeID('businessId', { description: 'Id of the selling business.' }),
    number: t.exposeInt('number', { description: 'Order number.' }),
    status: t.field({
      type: OrderStatusEnum,
      description: 'Current status.',
      resolve: ({ statuses }) => currentStatus(statuses),
    }),
    currentPaymentStatus: t.field({
      type: PaymentStatusEnum,
      description: 'Last entry of the payment history.',
      resolve: ({ paymentStatus }) => currentStatus(paymentStatus),
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    lines: t.field({
      type: [LinkedOrderLineGraphqlType],
      description: 'Lines of the order.',
      resolve: ({ lines, currency }) => lines.map((line) => ({ currency, ...line })),
    }),
    subtotal: t.expose('subtotal', { type: 'Money', description: 'Sum of the lines, in minor units.' }),
    discount: t.expose('discount', { type: 'Money', description: 'Discount, in minor units.' }),
    tax: t.expose('tax', { type: 'Money', description: 'Tax, in minor units.' }),
    shipping: t.expose('shipping', { type: 'Money', description: 'Price of shipping, in minor units.' }),
    total: t.expose('total', {
      type: 'Money',
      description: 'subtotal + tax + shipping - discount, in minor units.',
    }),
    refunded: t.expose('refunded', { type: 'Money', description: 'Refunded amount, in minor units.' }),
    fulfilments: t.field({
      type: [FulfilmentGraphqlType],
      description: 'Shipments, oldest first.',
      complexity: { field: 1, multiplier: 1 },
      resolve: ({ fulfilments }) => fulfilments ?? [],
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'Time of the order.' }),
  }),
});

async function findLinkedOrder(
  ctx: Context,
  { businessId, token }: { businessId: string; token: string },
): Promise<Order | undefined> {
  const order = await findOrderOfLink(ctx, token);
  return order?.businessId === businessId ? order : undefined;
}

builder.queryField('orderByLink', (t) =>
  t.field({
    type: LinkedOrderGraphqlType,
    nullable: true,
    description:
      'Order of a mailed link, for the page of the shop that `orderUrl` of the branding names. Needs no account: the token of the link is the credential. Null when the link has expired or was revoked.',
    authScopes: existingBusinessScope,
    args: {
      businessId: t.arg.id({ required: true, description: 'The business.' }),
      token: t.arg.string({ required: true, description: 'Parameter `token` of the link.' }),
    },
    resolve: (_root, args, ctx) => findLinkedOrder(ctx, args),
  }),
);
