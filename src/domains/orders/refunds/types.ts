/** GraphQL types of refunds. */
import { builder } from '../../../graphql/schema/builder.ts';
import { createConnectionType } from '../../../graphql/schema/connection-types.ts';
import type { Refund } from '../../payments/model.ts';
import { RefundStatusEnum } from '../graphql-enums.ts';

export const RefundGraphqlType = builder.objectRef<Refund>('Refund').implement({
  description: 'Refund of a payment to the customer.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the refund.' }),
    amount: t.expose('amount', { type: 'Money', description: 'Amount in minor units.' }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    status: t.expose('status', { type: RefundStatusEnum, description: 'Status of the refund.' }),
    reason: t.exposeString('reason', {
      nullable: true,
      description: 'Reason for the refund; null if none was given.',
    }),
    restock: t.exposeBoolean('restock', { description: 'Whether the units return to stock.' }),
    failure: t.exposeString('failure', {
      nullable: true,
      description: 'Reason of the payment provider when the refund FAILED; `retryRefund` tries it again.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was requested.' }),
    settledAt: t.expose('settledAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When the payment provider confirmed or rejected it; null while PENDING.',
    }),
  }),
});

export const RefundConnection = createConnectionType('Refund', RefundGraphqlType);
