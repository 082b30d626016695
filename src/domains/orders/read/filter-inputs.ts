/** GraphQL inputs for filtering and sorting orders. Validation beyond types is in filter-schemas.ts. */

import { builder } from '../../../graphql/schema/builder.ts';
import { type InputField, inputFields } from '../../../graphql/schema/field-tables.ts';
import { OrderStatusEnum, PaymentStatusEnum } from '../graphql-enums.ts';
import { type OrderFilterFields, orderSorts } from './filter-schemas.ts';

export const OrderSortEnum = builder.enumType('OrderSort', {
  description:
    'Sort order of orders. NUMBER is the order number; TOTAL compares minor units; UPDATED is the time of the last change.',
  values: orderSorts,
});

export const OrderFilterInput = builder.inputType('OrderFilter', {
  description: 'Filter; conditions are combined with AND.',
  fields: inputFields({
    statuses: [[OrderStatusEnum], 'Only orders with one of these current statuses.'],
    paymentStatuses: [[PaymentStatusEnum], 'Only orders with one of these current payment statuses.'],
    number: ['Int', 'Only the order with this order number.'],
    customerId: ['ID', 'Only orders of this user.'],
    market: ['ID', 'Only orders of the market with this code.'],
    currency: ['String', 'Only orders in this currency (ISO 4217 code).'],
    minTotal: ['Money', 'Minimum total, in minor units, inclusive.'],
    maxTotal: ['Money', 'Maximum total, in minor units, inclusive.'],
    createdFrom: ['Timestamp', 'Created at this time or later.'],
    createdTo: ['Timestamp', 'Created at this time or earlier.'],
    updatedFrom: ['Timestamp', 'Last changed at this time or later.'],
    updatedTo: ['Timestamp', 'Last changed at this time or earlier.'],
  } satisfies Record<keyof OrderFilterFields, InputField>),
});
