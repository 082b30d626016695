/** GraphQL types of webhook endpoints and deliveries. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
import { outputFields, prismaFields } from '../../graphql/schema/field-tables.ts';
import {
  NodeGraphqlInterface,
  TimestampedGraphqlInterface,
  VersionedGraphqlInterface,
} from '../../graphql/schema/node-timestamped-and-versioned-interfaces.ts';
import { describedEnumValues } from '../../graphql/schema/payload-and-enum-helpers.ts';
import type {
  WebhookDelivery,
  webhookDeliveryStatuses,
  webhookEndpointDisabledReasons,
  webhookEndpointStatuses,
} from './model.ts';
import {
  describeWebhookEventPattern,
  webhookEventPatterns,
  webhookEventPatternsText,
  webhookTopicPatternByEnumValue,
} from './webhook-event-types.ts';

export const WebhookTopicEnum = builder.enumType('WebhookTopic', {
  description: 'Events that an endpoint subscribes to: one event type, a group (`…_ALL`), or ALL.',
  values: Object.fromEntries(
    Object.entries(webhookTopicPatternByEnumValue).map(([name, value]) => [
      name,
      { value, description: describeWebhookEventPattern(value) },
    ]),
  ),
});

export const WebhookEndpointStatusEnum = builder.enumType('WebhookEndpointStatus', {
  description: 'Whether events are delivered to the endpoint.',
  values: describedEnumValues<(typeof webhookEndpointStatuses)[number]>({
    ACTIVE: 'Receives events.',
    DISABLED:
      'Receives no new events, see `disabledReason`. Pending deliveries resume when it is ACTIVE again.',
  }),
});

const DisabledReasonEnum = builder.enumType('WebhookDisabledReason', {
  description: 'Reason why an endpoint is disabled.',
  values: describedEnumValues<(typeof webhookEndpointDisabledReasons)[number]>({
    MANUAL: 'Disabled by a user or API key.',
    GONE: 'The endpoint responded with status 410.',
    FAILING: 'All attempts failed for five days.',
  }),
});

export const WebhookEndpointGraphqlType = builder.prismaObject('WebhookEndpoint', {
  interfaces: [NodeGraphqlInterface, TimestampedGraphqlInterface, VersionedGraphqlInterface],
  description:
    'URL that receives the events of a business as signed requests, by the Standard Webhooks specification.',
  fields: prismaFields('WebhookEndpoint', (t) => ({
    id: ['ID!', 'Id of the endpoint.'],
    businessId: ['ID!', 'Id of the business.'],
    url: ['String!', 'URL of the requests.'],
    description: ['String!', 'Purpose of the endpoint; may be empty.'],
    events: ['[String!]!', `Subscribed event patterns. ${webhookEventPatternsText}`],
    topics: t.field({
      type: [WebhookTopicEnum],
      description: 'Subscribed events and groups of events.',
      // A removed event type has no enum value.
      resolve: ({ events }) => events.filter((pattern) => webhookEventPatterns.has(pattern)),
    }),
    secret: [
      'String!',
      'Signing secret. In full only in the response that creates or rotates it, masked otherwise.',
    ],
    status: t.expose('status', { type: WebhookEndpointStatusEnum, description: 'Status of the endpoint.' }),
    disabledReason: [DisabledReasonEnum, 'Reason why it is disabled; null while ACTIVE.'],
    failingSince: [
      'Timestamp',
      'Time since which all attempts have failed; null when the last attempt succeeded.',
    ],
  })),
});

export const WebhookEndpointConnection = createConnectionType('WebhookEndpoint', WebhookEndpointGraphqlType);

export const WebhookDeliveryStatusEnum = builder.enumType('WebhookDeliveryStatus', {
  description: 'Progress of delivering one event to one endpoint.',
  values: describedEnumValues<(typeof webhookDeliveryStatuses)[number]>({
    PENDING: 'Waits for its first or next attempt.',
    DELIVERED: 'The receiver responded with a 2xx status.',
    FAILED: 'All eleven attempts within a day failed; the delivery can be replayed.',
  }),
});

export const WebhookDeliveryGraphqlType = builder.objectRef<WebhookDelivery>('WebhookDelivery').implement({
  interfaces: [NodeGraphqlInterface],
  description: 'Delivery of one event to one endpoint.',
  fields: outputFields((t) => ({
    id: ['ID!', 'Id of the delivery.'],
    endpointId: ['ID!', 'Id of the endpoint.'],
    eventId: [
      'ID!',
      'Id of the event, sent as header `webhook-id`; the same in every attempt and for every endpoint.',
    ],
    type: ['String!', 'Type of the event, such as `order.created`.'],
    topic: t.field({
      type: WebhookTopicEnum,
      nullable: true,
      description: '`type` as enum value; null for `webhook.test` and for removed event types.',
      resolve: ({ type }) => (webhookEventPatterns.has(type) ? type : null),
    }),
    data: ['JSON!', '`data` of the event.'],
    status: t.expose('status', { type: WebhookDeliveryStatusEnum, description: 'Status of the delivery.' }),
    attempts: ['Int!', 'Number of attempts so far.'],
    lastAttemptAt: ['Timestamp', 'Time of the last attempt; null before the first.'],
    lastStatusCode: ['Int', 'HTTP status of the last response; null without a response.'],
    lastError: ['String', 'Reason why the last attempt failed; null when it succeeded.'],
    lastResponse: ['String', 'First 500 characters of the last response body; null without a response.'],
    lastDurationMs: ['Int', 'Duration of the last attempt, in milliseconds.'],
    nextAttemptAt: ['Timestamp', 'Time of the next attempt; null unless PENDING.'],
    deliveredAt: ['Timestamp', 'Time of the successful attempt; null unless DELIVERED.'],
    createdAt: ['Timestamp!', 'Time of the event.'],
  })),
});

export const WebhookDeliveryConnection = createConnectionType('WebhookDelivery', WebhookDeliveryGraphqlType);
