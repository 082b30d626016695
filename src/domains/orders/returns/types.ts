/** GraphQL types of returns, and the fields that orders and lines get for them. */
import { builder } from '../../../graphql/schema/builder.ts';
import { outputFields } from '../../../graphql/schema/field-tables.ts';
import { describedEnumValues } from '../../../graphql/schema/payload-and-enum-helpers.ts';
import type { OrderReturn, ReturnedQuantityAtLineIndex, returnStatuses } from '../model.ts';
import { OrderLineGraphqlType } from '../read/order-line-graphql-type.ts';
import { OrderGraphqlType } from '../types.ts';

const ReturnStatusEnum = builder.enumType('ReturnStatus', {
  description: 'Status of a return. All but REQUESTED are final.',
  values: describedEnumValues<(typeof returnStatuses)[number]>({
    REQUESTED: 'Requested by the customer; staff decide.',
    ACCEPTED: 'Accepted in full or in part; the accepted units are refunded.',
    REFUSED: 'Refused by staff, with a reason.',
    WITHDRAWN: 'Withdrawn by the customer.',
  }),
});

const ReturnLineGraphqlType = builder.objectRef<ReturnedQuantityAtLineIndex>('ReturnLine').implement({
  description: 'Units of an order line in a return.',
  fields: outputFields((t) => ({
    line: ['Int!', 'Index of the line in the order, from 0.'],
    quantity: ['Int!', 'Number of requested units.'],
    acceptedQuantity: t.int({
      nullable: true,
      description: 'Number of accepted units; the others were refused. Null before acceptance.',
      // Records older than partial acceptance have no `accepted`; `restock` marks them as accepted in full.
      resolve: ({ quantity, accepted, restock }) => accepted ?? (restock === undefined ? null : quantity),
    }),
    restock: ['Boolean', 'Whether the accepted units return to stock. Null before acceptance.'],
  })),
});

export const OrderReturnGraphqlType = builder.objectRef<OrderReturn>('OrderReturn').implement({
  description: 'Request of a customer to return units of an order.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the return.'],
    status: t.expose('status', { type: ReturnStatusEnum, description: 'Status of the return.' }),
    lines: t.expose('lines', {
      type: [ReturnLineGraphqlType],
      description: 'Units to return.',
      complexity: { field: 1, multiplier: 1 },
    }),
    reason: ['String', 'Reason of the customer; null if none was given.'],
    refusal: [
      'String',
      'Reason of the business for refusing all or part of the return; null if nothing was refused.',
    ],
    refundIds: t.field({
      type: ['ID'],
      description: 'Ids of the refunds for this return, see `order.refunds`.',
      resolve: ({ refundIds }) => refundIds ?? [],
    }),
    createdAt: ['Timestamp!', 'When it was requested.'],
    decidedAt: ['Timestamp', 'When it was accepted, refused or withdrawn; null while REQUESTED.'],
    refundedAt: ['Timestamp', 'When the payment provider confirmed the refund; null before.'],
  })),
});

builder.objectField(OrderGraphqlType, 'returns', (t) =>
  t.field({
    type: [OrderReturnGraphqlType],
    description: 'Returns, oldest first.',
    // Most orders have none.
    complexity: { field: 1, multiplier: 1 },
    resolve: ({ returns }) => returns ?? [],
  }),
);

builder.objectFields(OrderLineGraphqlType, (t) => ({
  returnedQuantity: t.int({
    description: 'Number of units whose return was accepted.',
    resolve: ({ progress }) => progress?.returned ?? 0,
  }),
  returnableQuantity: t.int({
    description: 'Number of units for which a return can be requested.',
    resolve: ({ progress }) => progress?.returnable ?? 0,
  }),
}));
