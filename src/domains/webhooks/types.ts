/** GraphQL types of webhooks. */
import { builder } from '../../graphql/schema/builder.ts';
import { createConnectionType } from '../../graphql/schema/connection.ts';
import { NodeInterface, Timestamped, Versioned } from '../../graphql/schema/interfaces.ts';
import { enumValues } from '../../graphql/schema/type-helpers.ts';
import { describeEventPattern, eventPatternList, eventPatterns, webhookTopics } from './events.ts';
import type { deliveryStatuses, disabledReasons, endpointStatuses, WebhookDelivery } from './model.ts';

export const WebhookTopicEnum = builder.enumType('WebhookTopic', {
  description: 'What endpoints are told about: one type of event, those of a group (`…_ALL`), or ALL.',
  values: Object.fromEntries(
    Object.entries(webhookTopics).map(([name, value]) => [
      name,
      { value, description: describeEventPattern(value) },
    ]),
  ),
});

export const WebhookEndpointStatusEnum = builder.enumType('WebhookEndpointStatus', {
  description:
    'DISABLED endpoints get no new events; what waits for them goes on when they are ACTIVE again.',
  values: enumValues<(typeof endpointStatuses)[number]>({
    ACTIVE: 'It is told what happens.',
    DISABLED: 'It gets no new events, see `disabledReason`; what waits goes on once it is ACTIVE again.',
  }),
});

const DisabledReasonEnum = builder.enumType('WebhookDisabledReason', {
  description:
    'MANUAL: somebody disabled it. GONE: it answered 410. FAILING: every attempt failed for five days.',
  values: enumValues<(typeof disabledReasons)[number]>({
    MANUAL: 'Somebody disabled it.',
    GONE: 'It answered 410.',
    FAILING: 'Every attempt has failed for five days.',
  }),
});

export const WebhookEndpointType = builder.prismaObject('WebhookEndpoint', {
  interfaces: [NodeInterface, Timestamped, Versioned],
  description:
    'Where a business is told what happens, by signed requests as in the Standard Webhooks specification.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the endpoint.' }),
    businessId: t.exposeID('businessId', { description: 'The business it belongs to.' }),
    url: t.exposeString('url', { description: 'Where the requests go.' }),
    description: t.exposeString('description', { description: 'What it is for; may be empty.' }),
    events: t.exposeStringList('events', { description: `What it is told about. ${eventPatternList}` }),
    topics: t.field({
      type: [WebhookTopicEnum],
      description: 'The same as `events`, as an enum.',
      // What was once a type and is no longer has no name here.
      resolve: ({ events }) => events.filter((pattern) => eventPatterns.has(pattern)),
    }),
    secret: t.exposeString('secret', {
      description:
        'Signs the requests. In full only in the answer that creates or rotates it, masked ever after.',
    }),
    status: t.expose('status', { type: WebhookEndpointStatusEnum, description: 'Whether it is told.' }),
    disabledReason: t.expose('disabledReason', {
      type: DisabledReasonEnum,
      nullable: true,
      description: 'Why it is disabled.',
    }),
    failingSince: t.expose('failingSince', {
      type: 'Timestamp',
      nullable: true,
      description: 'Since when every attempt has failed; absent when the last one succeeded.',
    }),
    version: t.exposeInt('version', {
      description: 'Grows with every change; send it back to guard an update.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When it was created.' }),
    updatedAt: t.expose('updatedAt', { type: 'Timestamp', description: 'When it was last changed.' }),
  }),
});

export const WebhookEndpointConnection = createConnectionType('WebhookEndpoint', WebhookEndpointType);

export const WebhookDeliveryStatusEnum = builder.enumType('WebhookDeliveryStatus', {
  description:
    'PENDING until an attempt succeeds; FAILED when the last of eleven attempts within a day has failed.',
  values: enumValues<(typeof deliveryStatuses)[number]>({
    PENDING: 'It waits for its first or next attempt.',
    DELIVERED: 'The receiver answered 2xx.',
    FAILED: 'The last of eleven attempts within a day has failed; it can be replayed.',
  }),
});

export const WebhookDeliveryType = builder.objectRef<WebhookDelivery>('WebhookDelivery').implement({
  interfaces: [NodeInterface],
  description: 'One event on its way to one endpoint.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Id of the delivery.' }),
    endpointId: t.exposeID('endpointId', { description: 'The endpoint it goes to.' }),
    eventId: t.exposeID('eventId', {
      description: 'The event: the header `webhook-id`, the same at every attempt and for every endpoint.',
    }),
    type: t.exposeString('type', { description: 'Type of the event, such as `order.created`.' }),
    topic: t.field({
      type: WebhookTopicEnum,
      nullable: true,
      description: 'The same as `type`, as an enum; null for `webhook.test` and for types that are no more.',
      resolve: ({ type }) => (eventPatterns.has(type) ? type : null),
    }),
    data: t.expose('data', { type: 'JSON', description: 'The `data` that is sent.' }),
    status: t.expose('status', { type: WebhookDeliveryStatusEnum, description: 'How far it is.' }),
    attempts: t.exposeInt('attempts', { description: 'How often it was tried.' }),
    lastAttemptAt: t.expose('lastAttemptAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it was last tried.',
    }),
    lastStatusCode: t.exposeInt('lastStatusCode', {
      nullable: true,
      description: 'What the receiver answered last; absent when it did not answer.',
    }),
    lastError: t.exposeString('lastError', {
      nullable: true,
      description: 'Why the last attempt failed; absent when it succeeded.',
    }),
    lastResponse: t.exposeString('lastResponse', {
      nullable: true,
      description: "The beginning of the receiver's last answer.",
    }),
    lastDurationMs: t.exposeInt('lastDurationMs', {
      nullable: true,
      description: 'How long the last attempt took, in milliseconds.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When it is tried next, while it is PENDING.',
    }),
    deliveredAt: t.expose('deliveredAt', {
      type: 'Timestamp',
      nullable: true,
      description: 'When an attempt succeeded.',
    }),
    createdAt: t.expose('createdAt', { type: 'Timestamp', description: 'When the event happened.' }),
  }),
});

export const WebhookDeliveryConnection = createConnectionType('WebhookDelivery', WebhookDeliveryType);
