/** GraphQL types of returns, and what orders and their lines say about them. */
import { builder } from '../../../graphql/schema/builder.ts';
import { enumValues } from '../../../graphql/schema/type-helpers.ts';
import type { OrderReturn, ReturnLine, returnStatuses } from '../model.ts';
import { OrderLineType, OrderType } from '../types.ts';

const ReturnStatusEnum = builder.enumType('ReturnStatus', {
  description: 'Where a return stands. All but REQUESTED are final.',
  values: enumValues<(typeof returnStatuses)[number]>({
    REQUESTED: 'The customer asks; staff decide.',
    ACCEPTED: 'The units come back, and their money goes back as a refund.',
    REFUSED: 'Staff said no, and why.',
    WITHDRAWN: 'The customer keeps the units after all.',
  }),
});

const ReturnLineType = builder.objectRef<ReturnLine>('ReturnLine').implement({
  description: 'Units of a line of an order that come back.',
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'Position of the line in the order, from 0.' }),
    quantity: t.exposeInt('quantity', { description: 'Pieces that were asked to be taken back.' }),
    acceptedQuantity: t.int({
      nullable: true,
      description: 'Once accepted: how many of them; the others were refused.',
      // In records from before there was a part only `restock` tells.
      resolve: ({ quantity, accepted, restock }) => accepted ?? (restock === undefined ? null : quantity),
    }),
    restock: t.exposeBoolean('restock', {
      nullable: true,
      description: 'Once accepted: whether they go back to stock.',
    }),
  }),
});

export const OrderReturnType = builder.objectRef<OrderReturn>('OrderReturn').implement({
  description: 'Units of an order that its customer wants to give back.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the return.' }),
    status: t.expose('status', { type: ReturnStatusEnum, description: 'Where it stands.' }),
    lines: t.expose('lines', {
      type: [ReturnLineType],
      description: 'What comes back.',
      complexity: { field: 1, multiplier: 1 },
    }),
    reason: t.exposeString('reason', { nullable: true, description: 'Why, in the words of the customer.' }),
    refusal: t.exposeString('refusal', {
      nullable: true,
      description: 'Why it, or the rest of it, was refused, in the words of the business.',
    }),
    refundIds: t.field({
      type: ['ID'],
      description: 'The refunds it made, see those of the order.',
      resolve: ({ refundIds }) => refundIds ?? [],
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was asked for.' }),
    decidedAt: t.expose('decidedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it was accepted, refused or withdrawn.',
    }),
    refundedAt: t.expose('refundedAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the payment provider had sent the money.',
    }),
  }),
});

builder.objectField(OrderType, 'returns', (t) =>
  t.field({
    type: [OrderReturnType],
    description: 'What its customer wants to give back, oldest first.',
    // Most orders have none.
    complexity: { field: 1, multiplier: 1 },
    resolve: ({ returns }) => returns ?? [],
  }),
);

builder.objectFields(OrderLineType, (t) => ({
  returnedQuantity: t.int({
    description: 'Pieces whose return was accepted.',
    resolve: ({ progress }) => progress?.returned ?? 0,
  }),
  returnableQuantity: t.int({
    description: 'Pieces that may be asked to be taken back.',
    resolve: ({ progress }) => progress?.returnable ?? 0,
  }),
}));
