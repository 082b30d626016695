/** OpenAPI webhooks: the request that the gateway sends to endpoints of a business, for each event type. */
import { type GraphQLSchema, isEnumType } from 'graphql';
import {
  testWebhookEventType,
  webhookEventDescriptions,
} from '../../src/domains/webhooks/webhook-event-types.ts';
import { eventSchemas } from '../../src/generated/domains/event-data.ts';
import type { Components } from './component-schemas.ts';
import { type JsonSchema, objectSchema, requiredHeader, schemaRef } from './json-schema.ts';

const descriptions: Readonly<Record<keyof typeof eventSchemas, string>> = {
  ...webhookEventDescriptions,
  [testWebhookEventType]: 'Test event, sent by `POST /webhooks/{id}/test`. Endpoints cannot subscribe to it.',
};

const toPascalCase = (type: string) =>
  type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Adds the message schemas to the components and returns the `webhooks` section. */
export function webhooksOf(schema: GraphQLSchema, components: Components): Record<string, object> {
  const messages = Object.entries(descriptions).map(([type, description]) => {
    const { title, ...data } = withEnums(eventSchemas[type as keyof typeof eventSchemas], schema, components);
    const dataRef = components.named(String(title), data);
    const message = components.named(`${toPascalCase(type)}Event`, messageSchema(type, description, dataRef));
    const example = { type, timestamp: '2026-01-01T00:00:00.000Z', data: exampleOf(data) };
    return { type, description, message, example };
  });
  components.named('WebhookMessage', {
    description: 'Body of a webhook request, discriminated by `type`.',
    oneOf: messages.map(({ message }) => message),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(messages.map(({ type, message }) => [type, message.$ref])),
    },
  });
  return Object.fromEntries(messages.map((message) => [message.type, { post: operationOf(message) }]));
}

/** The body of every delivery, after the Standard Webhooks specification. */
const messageSchema = (type: string, description: string, data: JsonSchema): JsonSchema =>
  objectSchema(
    {
      type: { type: 'string', const: type, description: 'Event type.' },
      timestamp: { type: 'string', format: 'date-time', description: 'Time of the event.' },
      data: { ...data, description: 'Payload. Contains no personal data: people are referenced by id.' },
    },
    ['type', 'timestamp', 'data'],
    description,
  );

/** Replaces `x-graphql-type` by a reference to the enum. */
function withEnums(node: object, schema: GraphQLSchema, components: Components): JsonSchema {
  const { 'x-graphql-type': name, ...keywords } = node as JsonSchema;
  if (name === undefined)
    return Object.fromEntries(
      Object.entries(keywords).map(([key, inner]) => [
        key,
        typeof inner === 'object' && inner !== null && !Array.isArray(inner)
          ? withEnums(inner, schema, components)
          : inner,
      ]),
    );
  const type = schema.getType(String(name));
  if (!isEnumType(type)) throw new Error(`The payload of an event references ${name}, which is not an enum.`);
  const { type: _string, ...otherKeywords } = keywords;
  return { ...components.input(type), ...otherKeywords };
}

/** Example of a payload, built from the examples of its properties. */
function exampleOf({ properties, items, examples }: JsonSchema): unknown {
  if (items) return [exampleOf(items as JsonSchema)];
  if (!properties) return (examples as unknown[])[0];
  return Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, exampleOf(part as JsonSchema)]),
  );
}

interface WebhookMessage {
  type: string;
  description: string;
  message: JsonSchema;
  example?: object;
}

function operationOf({ type, description, message, example }: WebhookMessage): object {
  return {
    operationId: `On${toPascalCase(type)}`,
    summary: type,
    description,
    tags: ['webhooks'],
    security: [],
    parameters: [
      requiredHeader('webhook-id', 'Id of the event, equal for all attempts.'),
      requiredHeader('webhook-timestamp', 'Time of this attempt in Unix seconds.'),
      requiredHeader('webhook-signature', 'One signature per secret: `v1,` and base64, separated by spaces.'),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: message, ...(example ? { example } : {}) } },
    },
    responses: {
      204: { description: 'Any 2xx status confirms the delivery. Other responses are retried for 24 hours.' },
      410: { description: 'The endpoint no longer exists: the gateway disables it.' },
    },
  };
}

/** OpenAPI callback of the operation that creates an endpoint. */
export const callbacks = {
  event: {
    '{$request.body#/url}': {
      post: operationOf({
        type: 'event',
        description: 'Event that the endpoint is subscribed to, signed with its secret.',
        message: { $ref: schemaRef('WebhookMessage') },
      }),
    },
  },
};
