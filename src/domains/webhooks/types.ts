/** GraphQL types of webhook endpoints and deliveries. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection-types.ts';
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
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the endpoint.' }),
    businessId: t.exposeID('businessId', { description: 'Id of the business.' }),
    url: t.exposeString('url', { description: 'URL of the requests.' }),
    description: t.exposeString('description', { description: 'Purpose of the endpoint; may be empty.' }),
    events: t.exposeStringList('events', {
      description: `Subscribed event patterns. ${webhookEventPatternsText}`,
    }),
    topics: t.field({
      type: [WebhookTopicEnum],
      description: 'Subscribed events and groups of events.',
      // A removed event type has no enum value.
      resolve: ({ events }) => events.filter((pattern) => webhookEventPatterns.has(pattern)),
    }),
    secret: t.exposeString('secret', {
      description:
        'Signing secret. In full only in the response that creates or rotates it, masked otherwise.',
    }),
    status: t.expose('status', { type: WebhookEndpointStatusEnum, description: 'Status of the endpoint.' }),
    disabledReason: t.expose('disabledReason', {
      type: DisabledReasonEnum,
      nullable: true,
      description: 'Reason why it is disabled; null while ACTIVE.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'Timestamp',
      nullable: true,
      description: 'Time since which all attempts have failed; null when the last attempt succeeded.',
    }),
  }),
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
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the delivery.' }),
    endpointId: t.exposeID('endpointId', { description: 'Id of the endpoint.' }),
    eventId: t.exposeID('eventId', {
      description:
        'Id of the event, sent as header `webhook-id`; the same in every attempt and for every endpoint.',
    }),
    type: t.exposeString('type', { description: 'Type of the event, such as `order.created`.' }),
    topic: t.field({
      type: WebhookTopicEnum,
      nullable: true,
      description: '`type` as enum value; null for `webhook.test` and for removed event types.',
      resolve: ({ type }) => (webhookEventPatterns.has(type) ? type : null),
    }),
    data: t.expose('data', { type: 'JSON', description: '`data` of the event.' }),
    status: t.expose('status', { type: WebhookDeliveryStatusEnum, description: 'Status of the delivery.' }),
    attempts: t.exposeInt('attempts', { description: 'Number of attempts so far.' }),
    lastAttemptAt: t.expose('lastAttemptAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'Time of the last attempt; null before the first.',
    }),
    lastStatusCode: t.exposeInt('lastStatusCode', {
      nullable: true,
      description: 'HTTP status of the last response; null without a response.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Reason why the last attempt failed; null when it succeeded.',
    }),
    lastResponse: t.exposeString('lastResponse', {
      nullable: true,
      description: 'First 500 characters of the last response body; null without a response.',
    }),
    lastDurationMs: t.exposeInt('lastDurationMs', {
      nullable: true,
      description: 'Duration of the last attempt, in milliseconds.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'Time of the next attempt; null unless PENDING.',
    }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'Time of the successful attempt; null unless DELIVERED.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'Time of the event.' }),
  }),
});

export const WebhookDeliveryConnection = createConnectionType('WebhookDelivery', WebhookDeliveryGraphqlType);
