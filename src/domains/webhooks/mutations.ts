/** Mutations of webhooks. All need ADMIN. */
import { builder } from '../../graphql/builder.ts';
import { payloadOf } from '../../graphql/payload.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
import { parse } from '../../lib/input.ts';
import { DeletedPayload } from '../shared/types.ts';
import {
  createEndpointCheck,
  deliveryAddressCheck,
  endpointAddressCheck,
  updateEndpointCheck,
} from './checks.ts';
import { replayDelivery, testEndpoint } from './deliveries.ts';
import { createEndpoint, deleteEndpoint, rotateSecret, updateEndpoint } from './endpoints.ts';
import { CreateEndpointInput, UpdateEndpointInput } from './inputs.ts';
import { DeliveryType, EndpointType } from './types.ts';

const EndpointPayload = payloadOf('WebhookEndpointPayload', 'webhookEndpoint', EndpointType);
const DeliveryPayload = payloadOf('WebhookDeliveryPayload', 'webhookDelivery', DeliveryType);

const onEndpoint = onRecord('ADMIN', 'Webhook endpoint');

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the endpoint.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  return {
    createWebhookEndpoint: t.field({
      type: EndpointPayload,
      description: 'Registers an endpoint; the answer shows its secret. Needs ADMIN.',
      authScopes: inBusiness('ADMIN'),
      args: {
        businessId,
        input: t.arg({ type: CreateEndpointInput, required: true, description: 'The endpoint.' }),
      },
      resolve: async (_root, args, ctx) => {
        const { allowPrivate } = ctx.config.webhooks;
        const input = parse(ctx, createEndpointCheck(allowPrivate), args);
        return { webhookEndpoint: await createEndpoint(ctx, input) };
      },
    }),
    updateWebhookEndpoint: t.field({
      type: EndpointPayload,
      description: 'Changes the fields that are given. Needs ADMIN.',
      authScopes: onEndpoint,
      args: {
        businessId,
        id,
        version,
        input: t.arg({ type: UpdateEndpointInput, required: true, description: 'The changes.' }),
      },
      resolve: async (_root, args, ctx) => {
        const { allowPrivate } = ctx.config.webhooks;
        const input = parse(ctx, updateEndpointCheck(allowPrivate), args);
        return { webhookEndpoint: await updateEndpoint(ctx, input) };
      },
    }),
    deleteWebhookEndpoint: t.field({
      type: DeletedPayload,
      description: 'Deletes an endpoint with its deliveries. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id, version },
      resolve: (_root, args, ctx) => deleteEndpoint(ctx, parse(ctx, endpointAddressCheck, args)),
    }),
    rotateWebhookSecret: t.field({
      type: EndpointPayload,
      description:
        'Makes a new secret and shows it; the old one goes on signing beside it for a day. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id, version },
      resolve: async (_root, args, ctx) => ({
        webhookEndpoint: await rotateSecret(ctx, parse(ctx, endpointAddressCheck, args)),
      }),
    }),
    testWebhookEndpoint: t.field({
      type: DeliveryPayload,
      description: 'Sends an event of the type `webhook.test` to this endpoint alone. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id },
      resolve: async (_root, args, ctx) => ({
        webhookDelivery: await testEndpoint(ctx, parse(ctx, endpointAddressCheck, args)),
      }),
    }),
    replayWebhookDelivery: t.field({
      type: DeliveryPayload,
      description: 'Sends a delivery again, whatever became of it, with the same `webhook-id`. Needs ADMIN.',
      authScopes: onRecord('ADMIN', 'Webhook delivery'),
      args: {
        businessId,
        endpointId: t.arg.id({ description: 'The endpoint it went to, to be on the safe side.' }),
        id: t.arg.id({ required: true, description: 'Id of the delivery.' }),
      },
      resolve: async (_root, args, ctx) => ({
        webhookDelivery: await replayDelivery(ctx, parse(ctx, deliveryAddressCheck, args)),
      }),
    }),
  };
});
