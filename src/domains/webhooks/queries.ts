/** Queries of webhooks. All need ADMIN. */

import { permissionInBusiness, permissionOnRecord } from '../../graphql/schema/auth-scopes.ts';
import { builder } from '../../graphql/schema/builder.ts';
import { listCost, pageArgs } from '../../graphql/schema/connection.ts';
import { validatedField } from '../../graphql/schema/validated-resolver.ts';
import { findWebhookDelivery, listWebhookDeliveries } from './delivery/deliveries.ts';
import { findWebhookEndpoint, listWebhookEndpoints } from './endpoints.ts';
import {
  listWebhookDeliveriesSchema,
  listWebhookEndpointsSchema,
  webhookDeliveryAddressSchema,
  webhookEndpointAddressSchema,
} from './schemas.ts';
import {
  WebhookDeliveryConnection,
  WebhookDeliveryStatusEnum,
  WebhookDeliveryType,
  WebhookEndpointConnection,
  WebhookEndpointType,
} from './types.ts';

const onEndpoint = permissionOnRecord('ADMIN', 'Webhook endpoint');

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const endpointId = t.arg.id({ description: 'Only those to this endpoint.' });
  return {
    webhookEndpoint: t.field({
      type: WebhookEndpointType,
      nullable: true,
      description: 'One webhook endpoint: where it is, what it is told and whether that works. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id: t.arg.id({ required: true, description: 'Id of the endpoint.' }) },
      ...validatedField(webhookEndpointAddressSchema, (args, ctx) => findWebhookEndpoint(ctx, args)),
    }),
    webhookEndpoints: t.field({
      type: WebhookEndpointConnection,
      description: 'The webhook endpoints of a business, newest first. Needs ADMIN.',
      authScopes: permissionInBusiness('ADMIN'),
      complexity: listCost,
      args: { businessId, ...pageArgs },
      ...validatedField(listWebhookEndpointsSchema, (args, ctx) => listWebhookEndpoints(ctx, args)),
    }),
    webhookDelivery: t.field({
      type: WebhookDeliveryType,
      nullable: true,
      description: 'One delivery of an event to an endpoint. Needs ADMIN.',
      authScopes: permissionOnRecord('ADMIN', 'Webhook delivery'),
      args: {
        businessId,
        endpointId,
        id: t.arg.id({ required: true, description: 'Id of the delivery.' }),
      },
      ...validatedField(webhookDeliveryAddressSchema, (args, ctx) => findWebhookDelivery(ctx, args)),
    }),
    webhookDeliveries: t.field({
      type: WebhookDeliveryConnection,
      description: 'Deliveries of the last 30 days, newest first. Needs ADMIN.',
      authScopes: (root, args) =>
        args.endpointId ? onEndpoint(root, args) : permissionInBusiness('ADMIN')(root, args),
      complexity: listCost,
      args: {
        businessId,
        endpointId,
        status: t.arg({ type: WebhookDeliveryStatusEnum, description: 'Only this status.' }),
        ...pageArgs,
      },
      ...validatedField(listWebhookDeliveriesSchema, (args, ctx) => listWebhookDeliveries(ctx, args)),
    }),
  };
});
