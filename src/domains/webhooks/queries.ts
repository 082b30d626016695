/** Queries of webhooks. All need ADMIN. */
import { builder } from '../../graphql/builder.ts';
import { checked } from '../../graphql/checked.ts';
import { listCost, pageArgs } from '../../graphql/connection.ts';
import { inBusiness, onRecord } from '../../graphql/scopes.ts';
import {
  deliveryAddressCheck,
  deliveryListCheck,
  endpointAddressCheck,
  endpointListCheck,
} from './checks.ts';
import { findDelivery, listDeliveries } from './deliveries.ts';
import { findEndpoint, listEndpoints } from './endpoints.ts';
import {
  DeliveryConnection,
  DeliveryStatusEnum,
  DeliveryType,
  EndpointConnection,
  EndpointType,
} from './types.ts';

const onEndpoint = onRecord('ADMIN', 'Webhook endpoint');

builder.queryFields((t) => {
  const businessId = t.arg.id({ required: true, description: 'The business.' });
  const endpointId = t.arg.id({ description: 'Only those to this endpoint.' });
  return {
    webhookEndpoint: t.field({
      type: EndpointType,
      nullable: true,
      description: 'One webhook endpoint: where it is, what it is told and whether that works. Needs ADMIN.',
      authScopes: onEndpoint,
      args: { businessId, id: t.arg.id({ required: true, description: 'Id of the endpoint.' }) },
      ...checked(endpointAddressCheck, (args, ctx) => findEndpoint(ctx, args)),
    }),
    webhookEndpoints: t.field({
      type: EndpointConnection,
      description: 'The webhook endpoints of a business, newest first. Needs ADMIN.',
      authScopes: inBusiness('ADMIN'),
      complexity: listCost,
      args: { businessId, ...pageArgs },
      ...checked(endpointListCheck, (args, ctx) => listEndpoints(ctx, args)),
    }),
    webhookDelivery: t.field({
      type: DeliveryType,
      nullable: true,
      description: 'One delivery of an event to an endpoint. Needs ADMIN.',
      authScopes: onRecord('ADMIN', 'Webhook delivery'),
      args: {
        businessId,
        endpointId,
        id: t.arg.id({ required: true, description: 'Id of the delivery.' }),
      },
      ...checked(deliveryAddressCheck, (args, ctx) => findDelivery(ctx, args)),
    }),
    webhookDeliveries: t.field({
      type: DeliveryConnection,
      description: 'Deliveries of the last 30 days, newest first. Needs ADMIN.',
      authScopes: (root, args) =>
        args.endpointId ? onEndpoint(root, args) : inBusiness('ADMIN')(root, args),
      complexity: listCost,
      args: {
        businessId,
        endpointId,
        status: t.arg({ type: DeliveryStatusEnum, description: 'Only this status.' }),
        ...pageArgs,
      },
      ...checked(deliveryListCheck, (args, ctx) => listDeliveries(ctx, args)),
    }),
  };
});
