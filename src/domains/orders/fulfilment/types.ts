/** GraphQL types of shipments, and what orders and their lines say about them. */
import { builder } from '../../../graphql/schema/builder.ts';
import { enumValues } from '../../../graphql/schema/type-helpers.ts';
import type { Fulfilment, fulfilmentStatuses } from '../model.ts';
import { OrderLineType, OrderType } from '../types.ts';
import type { LineUnits } from './line-units.ts';

export const FulfilmentStatusEnum = builder.enumType('FulfilmentStatus', {
  description: 'Where a shipment stands.',
  values: enumValues<(typeof fulfilmentStatuses)[number]>({
    SHIPPED: 'On its way.',
    DELIVERED: 'It has arrived.',
  }),
});

export const LineUnitsType = builder.objectRef<LineUnits>('LineUnits').implement({
  description: 'Units of a line of an order.',
  fields: (t) => ({
    line: t.exposeInt('line', { description: 'Position of the line in the order, from 0.' }),
    quantity: t.exposeInt('quantity', { description: 'Pieces.' }),
  }),
});

export const FulfilmentType = builder.objectRef<Fulfilment>('Fulfilment').implement({
  description: 'Units of an order that were shipped together.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the shipment.' }),
    status: t.expose('status', { type: FulfilmentStatusEnum, description: 'Where it stands.' }),
    lines: t.expose('lines', { type: [LineUnitsType], description: 'What it holds.' }),
    carrier: t.exposeString('carrier', { nullable: true, description: 'Who brings it.' }),
    trackingNumber: t.exposeString('trackingNumber', { nullable: true, description: 'Its number there.' }),
    trackingUrl: t.exposeString('trackingUrl', { nullable: true, description: 'Where to follow it.' }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was shipped.' }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it was told to have arrived.',
    }),
  }),
});

builder.objectField(OrderType, 'fulfilments', (t) =>
  t.field({
    type: [FulfilmentType],
    description: 'What was shipped, oldest first.',
    // Most orders are shipped at once.
    complexity: { field: 1, multiplier: 1 },
    resolve: ({ fulfilments }) => fulfilments ?? [],
  }),
);

builder.objectField(OrderLineType, 'fulfilledQuantity', (t) =>
  t.int({ description: 'Pieces that were shipped.', resolve: ({ progress }) => progress?.shipped ?? 0 }),
);
