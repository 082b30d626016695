/** GraphQL mutations of shipments. */
import { permissionOnRecordScope } from '../../../graphql/schema/auth-scopes.ts';
import { builder } from '../../../graphql/schema/builder.ts';
import { fieldArgs, inputArg, inputFields } from '../../../graphql/schema/field-tables.ts';
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
  fields: inputFields({
    line: ['Int!', 'Index of the line in the order, from 0.'],
    quantity: ['Int!', 'Number of units.'],
  }),
});

const trackingFields = {
  carrier: ['String', 'Carrier, up to 100 characters.'],
  trackingNumber: ['String', 'Tracking number at the carrier, up to 100 characters.'],
  trackingUrl: ['String', 'URL of the tracking page, http or https.'],
} as const;

const CreateFulfilmentInput = builder.inputType('CreateFulfilmentInput', {
  description: 'A shipment.',
  fields: inputFields({
    lines: [[LineUnitsInput], 'Units in the shipment. Default: all units that can still be shipped.'],
    ...trackingFields,
  }),
});

const UpdateFulfilmentInput = builder.inputType('UpdateFulfilmentInput', {
  description: 'Fields to change; an empty string removes a value.',
  fields: inputFields({
    status: [FulfilmentStatusEnum, 'DELIVERED when the shipment has arrived; final.'],
    ...trackingFields,
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
      args: { businessId, id, version, ...inputArg(CreateFulfilmentInput, 'The shipment.') },
      ...validatedField(createFulfilmentSchema, createFulfilment),
    }),
    updateFulfilment: t.field({
      type: FulfilmentPayload,
      description:
        'Changes status or tracking of a shipment. When all units are delivered, the order becomes DELIVERED. Needs ORDERS_WRITE.',
      authScopes: permissionOnRecordScope('ORDERS_WRITE', 'Order'),
      args: fieldArgs({
        businessId,
        id,
        fulfilmentId: ['ID!', 'Id of the shipment.'],
        version,
        ...inputArg(UpdateFulfilmentInput, 'The changes.'),
      }),
      ...validatedField(updateFulfilmentSchema, updateFulfilment),
    }),
  };
});
