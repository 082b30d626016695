/** Mutations of webhooks. All need ADMIN. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { payloadOf } from '../../graphql/payload.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
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
      ...checked(
        (ctx) => createEndpointCheck(ctx.config.webhooks.allowPrivate),
        async (args, ctx) => ({ webhookEndpoint: await createEndpoint(ctx, args) }),
      ),
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
      ...checked(
        (ctx) => updateEndpointCheck(ctx.config.webhooks.allowPrivate),
        async (args, ctx) => ({ webhookEndpoint: await updateEndpoint(ctx, args) }),
      ),
    }),
    deleteWebhookEndpoint: t.field({
      type: DeletedPayload,
      description: 'Deletes an endpoint with its deliveries. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id, version },
      ...checked(endpointAddressCheck, (args, ctx) => deleteEndpoint(ctx, args)),
    }),
    rotateWebhookSecret: t.field({
      type: EndpointPayload,
      description:
        'Makes a new secret and shows it; the old one goes on signing beside it for a day. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id, version },
      ...checked(endpointAddressCheck, async (args, ctx) => ({
        webhookEndpoint: await rotateSecret(ctx, args),
      })),
    }),
    testWebhookEndpoint: t.field({
      type: DeliveryPayload,
      description: 'Sends an event of the type `webhook.test` to this endpoint alone. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id },
      ...checked(endpointAddressCheck, async (args, ctx) => ({
        webhookDelivery: await testEndpoint(ctx, args),
      })),
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
      ...checked(deliveryAddressCheck, async (args, ctx) => ({
        webhookDelivery: await replayDelivery(ctx, args),
      })),
    }),
  };
});
