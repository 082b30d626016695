/** GraphQL mutations of shipments. */

import { permissionOnRecordScope } from '../../../graphql/schema/auth-scopes.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { validatedField } from '../../../graphql/schema/validated-resolver.ts';
import { OrderGraphqlType } from '../types.ts';
import {
  createFulfilment,
  type FulfilmentResult,
  updateFulfilment,
} from './create-and-update-fulfilments.ts';
import { createFulfilmentSchema, updateFulfilmentSchema } from './schemas.ts';
import { FulfilmentGraphqlType, FulfilmentStatusEnum } from './types.ts';

export const LineUnitsInput = builder.inputType('LineUnitsInput', {
  description: 'Units of a line of an order.',
  fields: (t) => ({
    line: t.int({ required: true, description: 'Index of the line in the order, from 0.' }),
    quantity: t.int({ required: true, description: 'Number of units.' }),
  }),
});

type Fields = Parameters<Parameters<typeof builder.inputType>[1]['fields']>[0];

const trackingFields = (t: Fields) => ({
  carrier: t.string({ description: 'Carrier, up to 100 characters.' }),
  trackingNumber: t.string({ description: 'Tracking number at the carrier, up to 100 characters.' }),
  trackingUrl: t.string({ description: 'URL of the tracking page, http or https.' }),
});

const CreateFulfilmentInput = builder.inputType('CreateFulfilmentInput', {
  description: 'A shipment.',
  fields: (t) => ({
    lines: t.field({
      type: [LineUnitsInput],
      description: 'Units in the shipment. Default: all units that can still be shipped.',
    }),
    ...trackingFields(t),
  }),
});

const UpdateFulfilmentInput = builder.inputType('UpdateFulfilmentInput', {
  description: 'Fields to change; an empty string removes a value.',
  fields: (t) => ({
    status: t.field({
      type: FulfilmentStatusEnum,
      description: 'DELIVERED when the shipment has arrived; final.',
    }),
    ...trackingFields(t),
  }),
});

const FulfilmentPayload = builder.objectRef<FulfilmentResult>('FulfilmentPayload').implement({
  description: 'The shipment and the updated order.',
  fields: (t) => ({
    order: t.expose('order', {
      type: OrderGraphqlType,
      description: 'The updated order, including its status.',
    }),
    fulfilment: t.expose('fulfilment', { type: FulfilmentGraphqlType, description: 'The shipment.' }),
  }),
});

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the order.' });
  const version = t.arg.int({
    description:
      'Expected current version of the order; otherwise the mutation fails with PRECONDITION_FAILED.',
  });
  return {
    createFulfilment: t.field({
      type: FulfilmentPayload,
      description:
        'Ships units of an order and mails its customer. With the last unit the order becomes SHIPPED. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        version,
        input: t.arg({ type: CreateFulfilmentInput, required: true, description: 'The shipment.' }),
      },
      ...validatedField(createFulfilmentSchema, createFulfilment),
    }),
    updateFulfilment: t.field({
      type: FulfilmentPayload,
      description:
        'Changes status or tracking of a shipment. When all units are delivered, the order becomes DELIVERED. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Order'),
      args: {
        businessId,
        id,
        fulfilmentId: t.arg.id({ required: true, description: 'Id of the shipment.' }),
        version,
        input: t.arg({ type: UpdateFulfilmentInput, required: true, description: 'The changes.' }),
      },
      ...validatedField(updateFulfilmentSchema, updateFulfilment),
    }),
  };
});
