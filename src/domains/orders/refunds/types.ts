/** GraphQL types of refunds. */
import { builder } from '../../../graphql/schema/builder.ts';
import { createConnectionType } from '../../../graphql/schema/connection-types.ts';
import { outputFields } from '../../../graphql/schema/field-tables.ts';
import type { Refund } from '../../payments/model.ts';
import { RefundStatusEnum } from '../graphql-enums.ts';

export const RefundGraphqlType = builder.objectRef<Refund>('Refund').implement({
  description: 'Refund of a payment to the customer.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the refund.'],
    amount: ['Money!', 'Amount in minor units.'],
    currency: ['String!', 'ISO 4217 code.'],
    status: t.expose('status', { type: RefundStatusEnum, description: 'Status of the refund.' }),
    reason: ['String', 'Reason for the refund; null if none was given.'],
    restock: ['Boolean!', 'Whether the units return to stock.'],
    failure: [
      'String',
      'Reason of the payment provider when the refund FAILED; `retryRefund` tries it again.',
    ],
    createdAt: ['Timestamp!', 'When it was requested.'],
    settledAt: ['Timestamp', 'When the payment provider confirmed or rejected it; null while PENDING.'],
  })),
});

export const RefundConnection = createConnectionType('Refund', RefundGraphqlType);
