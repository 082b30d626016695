/** Mutations of webhook endpoints and deliveries. All need ADMIN. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { fieldArgs, inputArg } from '../../graphql/schema/field-tables.ts';
import { asPayload, createPayloadType } from '../../graphql/schema/payload-and-enum-helpers.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { DeletedPayload } from '../shared/media-and-status-graphql-types.ts';
import { replayWebhookDelivery } from './delivery/find-and-replay-deliveries.ts';
import { testWebhookEndpoint } from './delivery/test-webhook-endpoint.ts';
import { CreateWebhookEndpointInput, UpdateWebhookEndpointInput } from './inputs.ts';
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from './manage-webhook-endpoints.ts';
import {
  buildCreateWebhookEndpointSchema,
  buildUpdateWebhookEndpointSchema,
  webhookDeliveryRefSchema,
  webhookEndpointRefSchema,
} from './schemas.ts';
import { WebhookDeliveryGraphqlType, WebhookEndpointGraphqlType } from './types.ts';

const EndpointPayload = createPayloadType(
  'WebhookEndpointPayload',
  'webhookEndpoint',
  WebhookEndpointGraphqlType,
);
const DeliveryPayload = createPayloadType(
  'WebhookDeliveryPayload',
  'webhookDelivery',
  WebhookDeliveryGraphqlType,
);

const onEndpoint = permissionOnRecordScope('ADMIN', 'Webhook endpoint');

builder.mutationFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const id = t.arg.id({ required: true, description: 'Id of the endpoint.' });
  const version = t.arg.int({
    description: 'Fail with PRECONDITION_FAILED unless this is the current version.',
  });
  return {
    createWebhookEndpoint: t.field({
      type: EndpointPayload,
      description:
        'Creates a webhook endpoint. The response is the only one with its secret in full. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      args: { businessId, ...inputArg(CreateWebhookEndpointInput, 'The endpoint.') },
      ...validatedField(
        (ctx) => buildCreateWebhookEndpointSchema(ctx.config.webhooks.allowPrivate),
        asPayload('webhookEndpoint', createWebhookEndpoint),
      ),
    }),
    updateWebhookEndpoint: t.field({
      type: EndpointPayload,
      description: 'Updates the given fields. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id, version, ...inputArg(UpdateWebhookEndpointInput, 'The changes.') },
      ...validatedField(
        (ctx) => buildUpdateWebhookEndpointSchema(ctx.config.webhooks.allowPrivate),
        asPayload('webhookEndpoint', updateWebhookEndpoint),
      ),
    }),
    deleteWebhookEndpoint: t.field({
      type: DeletedPayload,
      description: 'Deletes an endpoint and its deliveries. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id, version },
      ...validatedField(webhookEndpointRefSchema, deleteWebhookEndpoint),
    }),
    rotateWebhookSecret: t.field({
      type: EndpointPayload,
      description:
        'Creates a new secret and returns it in full. The old secret also signs requests for 24 hours. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id, version },
      ...validatedField(webhookEndpointRefSchema, asPayload('webhookEndpoint', rotateWebhookSecret)),
    }),
    testWebhookEndpoint: t.field({
      type: DeliveryPayload,
      description: 'Sends a `webhook.test` event to this endpoint alone. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id },
      ...validatedField(webhookEndpointRefSchema, asPayload('webhookDelivery', testWebhookEndpoint)),
    }),
    replayWebhookDelivery: t.field({
      type: DeliveryPayload,
      description: 'Sends a delivery again, in any status, with the same `webhook-id`. Needs ADMIN.',
      authScopes: permissionOnRecordScope('ADMIN', 'Webhook delivery'),
      args: fieldArgs({
        businessId,
        endpointId: ['ID', 'Fails with NOT_FOUND unless the delivery belongs to this endpoint.'],
        id: ['ID!', 'Id of the delivery.'],
      }),
      ...validatedField(webhookDeliveryRefSchema, asPayload('webhookDelivery', replayWebhookDelivery)),
    }),
  };
});
