/** GraphQL inputs of what a list of orders is asked for. Rules beyond types are in find-checks.ts. */
import { builder } from '../../../graphql/schema/builder.ts';
import { OrderStatusEnum, PaymentStatusEnum } from '../enums.ts';
import { type OrderFilterFields, orderSorts } from './filter-schemas.ts';

export const OrderSortEnum = builder.enumType('OrderSort', {
  description:
    'The order of a list of orders. NUMBER is the readable number; TOTAL compares minor units; UPDATED is the last change.',
  values: orderSorts,
});

export const OrderFilterInput = builder.inputType('OrderFilter', {
  description: 'Which orders are meant: those that fulfil all that is said.',
  fields: (t) =>
    ({
      statuses: t.field({ type: [OrderStatusEnum], description: 'Only these current statuses.' }),
      paymentStatuses: t.field({
        type: [PaymentStatusEnum],
        description: 'Only these current payment statuses.',
      }),
      number: t.int({ description: 'Only the order with this number.' }),
      customerId: t.id({ description: 'Only orders of this user.' }),
      market: t.id({ description: 'Only orders of the market with this code.' }),
      currency: t.string({ description: 'Only orders in this currency.' }),
      minTotal: t.field({ type: 'Money', description: 'Total in minor units: at least this.' }),
      maxTotal: t.field({ type: 'Money', description: 'Total in minor units: at most this.' }),
      createdFrom: t.field({ type: 'Timestamp', description: 'Created at this time or later.' }),
      createdTo: t.field({ type: 'Timestamp', description: 'Created at this time or earlier.' }),
      updatedFrom: t.field({ type: 'Timestamp', description: 'Last changed at this time or later.' }),
      updatedTo: t.field({ type: 'Timestamp', description: 'Last changed at this time or earlier.' }),
    }) satisfies Record<keyof OrderFilterFields, unknown>,
});
