/** Queries of webhook endpoints and deliveries. All need ADMIN. */
import { permissionInBusinessScope, permissionOnRecordScope } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { estimateListCost, pageArgs } from '../../graphql/schema/connection-types.ts';
import { fieldArgs } from '../../graphql/schema/field-tables.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findWebhookDelivery, listWebhookDeliveries } from './delivery/find-and-replay-deliveries.ts';
import { findWebhookEndpoint, listWebhookEndpoints } from './manage-webhook-endpoints.ts';
import {
  listWebhookDeliveriesSchema,
  listWebhookEndpointsSchema,
  webhookDeliveryRefSchema,
  webhookEndpointRefSchema,
} from './schemas.ts';
import {
  WebhookDeliveryConnection,
  WebhookDeliveryGraphqlType,
  WebhookDeliveryStatusEnum,
  WebhookEndpointConnection,
  WebhookEndpointGraphqlType,
} from './types.ts';

const onEndpoint = permissionOnRecordScope('ADMIN', 'Webhook endpoint');

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const endpointId = t.arg.id({ description: 'Only deliveries to this endpoint.' });
  return {
    webhookEndpoint: t.field({
      type: WebhookEndpointGraphqlType,
      nullable: true,
      description: 'A webhook endpoint; null when it does not exist. Needs ADMIN.',
      authScopes: onEndpoint,
      args: fieldArgs({ businessId, id: ['ID!', 'Id of the endpoint.'] }),
      ...validatedField(webhookEndpointRefSchema, findWebhookEndpoint),
    }),
    webhookEndpoints: t.field({
      type: WebhookEndpointConnection,
      description: 'Webhook endpoints of a business, newest first. Needs ADMIN.',
      authScopes: permissionInBusinessScope('ADMIN'),
      complexity: estimateListCost,
      args: { businessId, ...pageArgs },
      ...validatedField(listWebhookEndpointsSchema, listWebhookEndpoints),
    }),
    webhookDelivery: t.field({
      type: WebhookDeliveryGraphqlType,
      nullable: true,
      description: 'Delivery of an event to an endpoint; null when it does not exist. Needs ADMIN.',
      authScopes: permissionOnRecordScope('ADMIN', 'Webhook delivery'),
      args: fieldArgs({ businessId, endpointId, id: ['ID!', 'Id of the delivery.'] }),
      ...validatedField(webhookDeliveryRefSchema, findWebhookDelivery),
    }),
    webhookDeliveries: t.field({
      type: WebhookDeliveryConnection,
      description: 'Webhook deliveries of the last 30 days, newest first. Needs ADMIN.',
      authScopes: (root, args) =>
        args.endpointId ? onEndpoint(root, args) : permissionInBusinessScope('ADMIN')(root, args),
      complexity: estimateListCost,
      args: fieldArgs({
        businessId,
        endpointId,
        status: [WebhookDeliveryStatusEnum, 'Only deliveries with this status.'],
        ...pageArgs,
      }),
      ...validatedField(listWebhookDeliveriesSchema, listWebhookDeliveries),
    }),
  };
});
