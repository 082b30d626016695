/** GraphQL types of shipments, and the fields that orders and lines get for them. */
import { builder } from '../../../graphql/schema/builder.ts';
import { outputFields } from '../../../graphql/schema/field-tables.ts';
import { describedEnumValues } from '../../../graphql/schema/payload-and-enum-helpers.ts';
import type { fulfilmentStatuses, OrderFulfilment } from '../model.ts';
import { OrderLineGraphqlType } from '../read/order-line-graphql-type.ts';
import { OrderGraphqlType } from '../types.ts';
import type { QuantityAtLineIndex } from './quantities-by-line-index.ts';

export const FulfilmentStatusEnum = builder.enumType('FulfilmentStatus', {
  description: 'Status of a shipment.',
  values: describedEnumValues<(typeof fulfilmentStatuses)[number]>({
    SHIPPED: 'Handed over to the carrier.',
    DELIVERED: 'Delivered to the customer; final.',
  }),
});

const LineUnitsGraphqlType = builder.objectRef<QuantityAtLineIndex>('LineUnits').implement({
  description: 'Units of a line of an order.',
  fields: outputFields({
    line: ['Int!', 'Index of the line in the order, from 0.'],
    quantity: ['Int!', 'Number of units.'],
  }),
});

export const FulfilmentGraphqlType = builder.objectRef<OrderFulfilment>('Fulfilment').implement({
  description: 'Units of an order that were shipped together.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the shipment.'],
    status: t.expose('status', { type: FulfilmentStatusEnum, description: 'Status of the shipment.' }),
    lines: t.expose('lines', { type: [LineUnitsGraphqlType], description: 'Units in the shipment.' }),
    carrier: ['String', 'Carrier; null if unknown.'],
    trackingNumber: ['String', 'Tracking number at the carrier; null if none.'],
    trackingUrl: ['String', 'URL of the tracking page; null if none.'],
    createdAt: ['Timestamp!', 'When it was shipped.'],
    deliveredAt: ['Timestamp', 'When it was marked as delivered; null before.'],
  })),
});

builder.objectField(OrderGraphqlType, 'fulfilments', (t) =>
  t.field({
    type: [FulfilmentGraphqlType],
    description: 'Shipments, oldest first.',
    // Most orders have one shipment.
    complexity: { field: 1, multiplier: 1 },
    resolve: ({ fulfilments }) => fulfilments ?? [],
  }),
);

builder.objectField(OrderLineGraphqlType, 'fulfilledQuantity', (t) =>
  t.int({ description: 'Number of shipped units.', resolve: ({ progress }) => progress?.shipped ?? 0 }),
);
