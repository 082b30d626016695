/** GraphQL inputs for filtering and sorting orders. Validation beyond types is in filter-schemas.ts. */
import { builder } from '../../../graphql/schema/builder.ts';
import { OrderStatusEnum, PaymentStatusEnum } from '../graphql-enums.ts';
import { type OrderFilterFields, orderSorts } from './filter-schemas.ts';

export const OrderSortEnum = builder.enumType('OrderSort', {
  description:
    'Sort order of orders. NUMBER is the order number; TOTAL compares minor units; UPDATED is the time of the last change.',
  values: orderSorts,
});

export const OrderFilterInput = builder.inputType('OrderFilter', {
  description: 'Filter; conditions are combined with AND.',
  fields: (t) =>
    ({
      statuses: t.field({
        type: [OrderStatusEnum],
        description: 'Only orders with one of these current statuses.',
      }),
      paymentStatuses: t.field({
        type: [PaymentStatusEnum],
        description: 'Only orders with one of these current payment statuses.',
      }),
      number: t.int({ description: 'Only the order with this order number.' }),
      customerId: t.id({ description: 'Only orders of this user.' }),
      market: t.id({ description: 'Only orders of the market with this code.' }),
      currency: t.string({ description: 'Only orders in this currency (ISO 4217 code).' }),
      minTotal: t.field({ type: 'Money', description: 'Minimum total, in minor units, inclusive.' }),
      maxTotal: t.field({ type: 'Money', description: 'Maximum total, in minor units, inclusive.' }),
      createdFrom: t.field({ type: 'Timestamp', description: 'Created at this time or later.' }),
      createdTo: t.field({ type: 'Timestamp', description: 'Created at this time or earlier.' }),
      updatedFrom: t.field({ type: 'Timestamp', description: 'Last changed at this time or later.' }),
      updatedTo: t.field({ type: 'Timestamp', description: 'Last changed at this time or earlier.' }),
    }) satisfies Record<keyof OrderFilterFields, unknown>,
});
