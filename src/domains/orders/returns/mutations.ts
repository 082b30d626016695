/** Mutations of returns. */

import { ownerOrPermission, permissionOnRecord } from '../../../graphql/schema/auth-scopes.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { validatedField } from '../../../graphql/schema/validated-resolver.ts';
import { LineUnitsInput } from '../fulfilment/mutations.ts';
import { OrderType } from '../types.ts';
import { acceptReturn } from './accept-return.ts';
import { type ReturnResult, refuseReturn, requestReturn, withdrawReturn } from './manage-returns.ts';
import {
  acceptReturnSchema,
  refuseReturnSchema,
  requestReturnSchema,
  withdrawReturnSchema,
} from './schemas.ts';
import { OrderReturnType } from './types.ts';

const RequestReturnInput = builder.inputType('RequestReturnInput', {
  description: 'What to give back.',
  fields: (t) => ({
    lines: t.field({ type: [LineUnitsInput], required: true, description: 'Units that were shipped.' }),
    reason: t.string({ description: 'Why.' }),
  }),
});

const ReturnLineInput = builder.inputType('ReturnLineInput', {
  description: 'What becomes of the units of a line that come back.',
  fields: (t) => ({
    line: t.int({ required: true, description: 'Position of the line in the order, from 0.' }),
    quantity: t.int({ description: 'How many of the units asked for are accepted. Default: all.' }),
    restock: t.boolean({ description: 'Whether they go back to stock. Default: as the others.' }),
  }),
});

const AcceptReturnInput = builder.inputType('AcceptReturnInput', {
  description: 'How a return is accepted.',
  fields: (t) => ({
    restock: t.boolean({ description: 'Whether the units go back to stock. Default: yes.' }),
    lines: t.field({
      type: [ReturnLineInput],
      description: 'Lines of which only some units are accepted, or for which restock is otherwise.',
    }),
    refusal: t.string({
      description: 'Why the rest is not accepted: what the customer is told. Needed if there is a rest.',
    }),
    refund: t.field({
      type: 'Money',
      description: 'How much goes back; 0 for nothing. Default: what the units cost with discount and tax.',
    }),
  }),
});

const RefuseReturnInput = builder.inputType('RefuseReturnInput', {
  description: 'Why a return is refused.',
  fields: (t) => ({ reason: t.string({ required: true, description: 'What the customer is told.' }) }),
});

const ReturnPayload = builder.objectRef<ReturnResult>('ReturnPayload').implement({
  description: 'The return, and the order as it is now.',
  fields: (t) => ({
    order: t.expose('order', { type: OrderType, description: 'As it is now, with all its returns.' }),
    return: t.expose('return', { type: OrderReturnType, description: 'What was asked for or decided.' }),
  }),
});

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the order.' });
  const returnId = t.arg.id({ required: true, description: 'Id of the return.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version of the order.',
  });
  return {
    requestReturn: t.field({
      type: ReturnPayload,
      description: 'Asks to give back units that were shipped. For its customer, and for ORDERS_WRITE.',
      authScopes: ownerOrPermission('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        input: t.arg({ type: RequestReturnInput, required: true, description: 'What to give back.' }),
      },
      ...validatedField(requestReturnSchema, (args, ctx) => requestReturn(ctx, args)),
    }),
    withdrawReturn: t.field({
      type: ReturnPayload,
      description:
        'Takes back the wish to return, until it is decided. For its customer, and for ORDERS_WRITE.',
      authScopes: ownerOrPermission('ORDERS_WRITE', 'Order'),
      args: { businessId, id, returnId },
      ...validatedField(withdrawReturnSchema, (args, ctx) => withdrawReturn(ctx, args)),
    }),
    acceptReturn: t.field({
      type: ReturnPayload,
      description:
        'Accepts a return or a part of it, which refunds and restocks these units as refundOrder does. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecord('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        returnId,
        version,
        input: t.arg({ type: AcceptReturnInput, required: true, description: 'How.' }),
      },
      ...validatedField(acceptReturnSchema, (args, ctx) => acceptReturn(ctx, args)),
    }),
    refuseReturn: t.field({
      type: ReturnPayload,
      description: 'Refuses a return; its customer is told why. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecord('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        returnId,
        version,
        input: t.arg({ type: RefuseReturnInput, required: true, description: 'Why.' }),
      },
      ...validatedField(refuseReturnSchema, (args, ctx) => refuseReturn(ctx, args)),
    }),
  };
});
