/** Mutations of shipments. */

import { permissionOnRecord } from '../../../graphql/schema/auth-scopes.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { validatedField } from '../../../graphql/schema/validated-resolver.ts';
import { OrderType } from '../types.ts';
import { createFulfilment, type FulfilmentResult, updateFulfilment } from './create-and-update.ts';
import { createFulfilmentSchema, updateFulfilmentSchema } from './schemas.ts';
import { FulfilmentStatusEnum, FulfilmentType } from './types.ts';

export const LineUnitsInput = builder.inputType('LineUnitsInput', {
  description: 'Units of a line of an order.',
  fields: (t) => ({
    line: t.int({ required: true, description: 'Position of the line in the order, from 0.' }),
    quantity: t.int({ required: true, description: 'Pieces.' }),
  }),
});

type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const trackingFields = (t: Fields) => ({
  carrier: t.string({ description: 'Who brings it.' }),
  trackingNumber: t.string({ description: 'Its number there.' }),
  trackingUrl: t.string({ description: 'Where to follow it, an http(s) address.' }),
});

const CreateFulfilmentInput = builder.inputType('CreateFulfilmentInput', {
  description: 'A shipment.',
  fields: (t) => ({
    lines: t.field({
      type: [LineUnitsInput],
      description: 'What it holds. Absent: all that is left to ship.',
    }),
    ...trackingFields(t),
  }),
});

const UpdateFulfilmentInput = builder.inputType('UpdateFulfilmentInput', {
  description: 'What to change; an empty text takes away what was there.',
  fields: (t) => ({
    status: t.field({ type: FulfilmentStatusEnum, description: 'DELIVERED when it has arrived.' }),
    ...trackingFields(t),
  }),
});

const FulfilmentPayload = builder.objectRef<FulfilmentResult>('FulfilmentPayload').implement({
  description: 'The shipment, and the order as it is now.',
  fields: (t) => ({
    order: t.expose('order', { type: OrderType, description: 'As it is now, with its status.' }),
    fulfilment: t.expose('fulfilment', { type: FulfilmentType, description: 'The shipment.' }),
  }),
});

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the order.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version of the order.',
  });
  return {
    createFulfilment: t.field({
      type: FulfilmentPayload,
      description:
        'Ships units of an order; with the last of them the order is SHIPPED, and its customer is told. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecord('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        version,
        input: t.arg({ type: CreateFulfilmentInput, required: true, description: 'The shipment.' }),
      },
      ...validatedField(createFulfilmentSchema, (args, ctx) => createFulfilment(ctx, args)),
    }),
    updateFulfilment: t.field({
      type: FulfilmentPayload,
      description:
        'Changes what is known of a shipment; when all of an order have arrived, the order is DELIVERED. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecord('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        fulfilmentId: t.arg.id({ required: true, description: 'Id of the shipment.' }),
        version,
        input: t.arg({ type: UpdateFulfilmentInput, required: true, description: 'The changes.' }),
      },
      ...validatedField(updateFulfilmentSchema, (args, ctx) => updateFulfilment(ctx, args)),
    }),
  };
});
