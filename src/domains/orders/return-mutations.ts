/** Mutations of returns. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { onRecord, ownOr } from '../../graphql/scopes.ts';
import { acceptReturn } from './accept-return.ts';
import { LineUnitsInput } from './fulfilment-mutations.ts';
import {
  acceptReturnCheck,
  refuseReturnCheck,
  requestReturnCheck,
  withdrawReturnCheck,
} from './return-checks.ts';
import { OrderReturnType } from './return-types.ts';
import { type Returned, refuseReturn, requestReturn, withdrawReturn } from './returns.ts';
import { OrderType } from './types.ts';

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

const ReturnPayload = builder.objectRef<Returned>('ReturnPayload').implement({
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
      authScopes: ownOr('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        input: t.arg({ type: RequestReturnInput, required: true, description: 'What to give back.' }),
      },
      ...checked(requestReturnCheck, (args, ctx) => requestReturn(ctx, args)),
    }),
    withdrawReturn: t.field({
      type: ReturnPayload,
      description:
        'Takes back the wish to return, until it is decided. For its customer, and for ORDERS_WRITE.',
      authScopes: ownOr('ORDERS_WRITE', 'Order'),
      args: { businessId, id, returnId },
      ...checked(withdrawReturnCheck, (args, ctx) => withdrawReturn(ctx, args)),
    }),
    acceptReturn: t.field({
      type: ReturnPayload,
      description:
        'Accepts a return or a part of it, which refunds and restocks these units as refundOrder does. Needs ORDERS_WRITE.',
      authScopes: onRecord('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        returnId,
        version,
        input: t.arg({ type: AcceptReturnInput, required: true, description: 'How.' }),
      },
      ...checked(acceptReturnCheck, (args, ctx) => acceptReturn(ctx, args)),
    }),
    refuseReturn: t.field({
      type: ReturnPayload,
      description: 'Refuses a return; its customer is told why. Needs ORDERS_WRITE.',
      authScopes: onRecord('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        returnId,
        version,
        input: t.arg({ type: RefuseReturnInput, required: true, description: 'Why.' }),
      },
      ...checked(refuseReturnCheck, (args, ctx) => refuseReturn(ctx, args)),
    }),
  };
});
