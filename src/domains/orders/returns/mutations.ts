/** GraphQL mutations of returns. */
import { ownerOrPermissionScope, permissionOnRecordScope } from '../../../graphql/schema/auth-scopes.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { inputArg, inputFields } from '../../../graphql/schema/field-tables.ts';
import { validatedField } from '../../../graphql/schema/validated-resolver.ts';
import { LineUnitsInput } from '../fulfilment/mutations.ts';
import { OrderGraphqlType } from '../types.ts';
import { acceptReturn } from './accept-return.ts';
import {
  type OrderReturnResult,
  refuseReturn,
  requestReturn,
  withdrawReturn,
} from './request-withdraw-and-refuse-returns.ts';
import {
  acceptReturnSchema,
  refuseReturnSchema,
  requestReturnSchema,
  withdrawReturnSchema,
} from './schemas.ts';
import { OrderReturnGraphqlType } from './types.ts';

const RequestReturnInput = builder.inputType('RequestReturnInput', {
  description: 'Units to return.',
  fields: inputFields((t) => ({
    lines: t.field({ type: [LineUnitsInput], required: true, description: 'Shipped units to return.' }),
    reason: ['String', 'Reason, up to 1,000 characters.'],
  })),
});

const ReturnLineInput = builder.inputType('ReturnLineInput', {
  description: 'Decision on the units of one line.',
  fields: inputFields({
    line: ['Int!', 'Index of the line in the order, from 0.'],
    quantity: ['Int', 'Number of accepted units. Default: all requested units.'],
    restock: ['Boolean', 'Whether the units return to stock. Default: `restock` of the input.'],
  }),
});

const AcceptReturnInput = builder.inputType('AcceptReturnInput', {
  description: 'Acceptance of a return.',
  fields: inputFields({
    restock: ['Boolean', 'Whether the units return to stock. Default: true.'],
    lines: [
      [ReturnLineInput],
      'Lines that are accepted only partially, or with a different `restock`. Default: all requested units.',
    ],
    refusal: [
      'String',
      'Reason for refusing the remaining units, sent to the customer. Required for partial acceptance, up to 1,000 characters.',
    ],
    refund: [
      'Money',
      'Refund in minor units; 0 for none. Default: the price of the units including discount and tax.',
    ],
  }),
});

const RefuseReturnInput = builder.inputType('RefuseReturnInput', {
  description: 'Refusal of a return.',
  fields: inputFields({ reason: ['String!', 'Reason, sent to the customer, up to 1,000 characters.'] }),
});

const ReturnPayload = builder.objectRef<OrderReturnResult>('ReturnPayload').implement({
  description: 'The return and the updated order.',
  fields: (t) => ({
    order: t.expose('order', {
      type: OrderGraphqlType,
      description: 'The updated order, with all its returns.',
    }),
    return: t.expose('return', {
      type: OrderReturnGraphqlType,
      description: 'The requested or decided return.',
    }),
  }),
});

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the order.' });
  const returnId = t.arg.id({ required: true, description: 'Id of the return.' });
  const version = t.arg.int({
    description:
      'Expected current version of the order; otherwise the mutation fails with PRECONDITION_FAILED.',
  });
  return {
    requestReturn: t.field({
      type: ReturnPayload,
      description:
        'Requests the return of shipped units. For the customer of the order, or with ORDERS_WRITE.',
      authScopes: ownerOrPermissionScope('ORDERS_WRITE', 'Order'),
      args: { businessId, id, ...inputArg(RequestReturnInput, 'Units to return.') },
      ...validatedField(requestReturnSchema, requestReturn),
    }),
    withdrawReturn: t.field({
      type: ReturnPayload,
      description:
        'Withdraws a return that is still REQUESTED. For the customer of the order, or with ORDERS_WRITE.',
      authScopes: ownerOrPermissionScope('ORDERS_WRITE', 'Order'),
      args: { businessId, id, returnId },
      ...validatedField(withdrawReturnSchema, withdrawReturn),
    }),
    acceptReturn: t.field({
      type: ReturnPayload,
      description:
        'Accepts all or part of a return; refunds and restocks the accepted units like `refundOrder`. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Order'),
      args: { businessId, id, returnId, version, ...inputArg(AcceptReturnInput, 'The decision.') },
      ...validatedField(acceptReturnSchema, acceptReturn),
    }),
    refuseReturn: t.field({
      type: ReturnPayload,
      description: 'Refuses a return and mails the reason to the customer. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Order'),
      args: { businessId, id, returnId, version, ...inputArg(RefuseReturnInput, 'The decision.') },
      ...validatedField(refuseReturnSchema, refuseReturn),
    }),
  };
});
