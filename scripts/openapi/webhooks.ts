/** What the gateway sends to the endpoints that businesses registered: a message for each type of event. */
import { type GraphQLSchema, isEnumType } from 'graphql';
import { testEventType, webhookEventTypes } from '../../src/domains/webhooks/events.ts';
import { eventSchemas } from '../../src/generated/domains/event-data.ts';
import type { Components } from './component-schemas.ts';
import { type JsonSchema, objectSchema, requiredHeader, schemaRef } from './json-schema.ts';

const descriptions: Readonly<Record<keyof typeof eventSchemas, string>> = {
  ...webhookEventTypes,
  [testEventType]:
    'Somebody tries the endpoint. Nobody subscribes to it: it is sent by `POST /webhooks/{id}/test`.',
};

const pascal = (type: string) => type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Adds the schemas of all messages to the components, and gives the section that refers to them. */
export function webhooksOf(schema: GraphQLSchema, components: Components): Record<string, object> {
  const sent = Object.entries(descriptions).map(([type, description]) => {
    const { title, ...data } = withEnums(eventSchemas[type as keyof typeof eventSchemas], schema, components);
    const named = components.named(String(title), data);
    const message = components.named(`${pascal(type)}Event`, messageSchema(type, description, named));
    const example = { type, timestamp: '2026-01-01T00:00:00.000Z', data: exampleOf(data) };
    return { type, description, message, example };
  });
  components.named('WebhookMessage', {
    description: 'What an endpoint is sent: one of these, told apart by `type`.',
    oneOf: sent.map(({ message }) => message),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(sent.map(({ type, message }) => [type, message.$ref])),
    },
  });
  return Object.fromEntries(sent.map((one) => [one.type, { post: operationOf(one) }]));
}

/** The body of every delivery, after the Standard Webhooks specification. */
const messageSchema = (type: string, description: string, data: JsonSchema): JsonSchema =>
  objectSchema(
    {
      type: { type: 'string', const: type, description: 'What happened.' },
      timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
      data: { ...data, description: 'Ids and facts. People are named by their ids alone.' },
    },
    ['type', 'timestamp', 'data'],
    description,
  );

/** With a reference to the enum that a value is of. */
function withEnums(part: object, schema: GraphQLSchema, components: Components): JsonSchema {
  const { 'x-graphql-type': name, ...rest } = part as JsonSchema;
  if (name === undefined)
    return Object.fromEntries(
      Object.entries(rest).map(([key, inner]) => [
        key,
        typeof inner === 'object' && inner !== null && !Array.isArray(inner)
          ? withEnums(inner, schema, components)
          : inner,
      ]),
    );
  const type = schema.getType(String(name));
  if (!isEnumType(type)) throw new Error(`An event has a value of ${name}, which is no enum.`);
  const { type: _string, ...said } = rest;
  return { ...components.input(type), ...said };
}

/** Made of the examples of all its parts. */
function exampleOf({ properties, items, examples }: JsonSchema): unknown {
  if (items) return [exampleOf(items as JsonSchema)];
  if (!properties) return (examples as unknown[])[0];
  return Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [name, exampleOf(part as JsonSchema)]),
  );
}

interface Sent {
  type: string;
  description: string;
  message: JsonSchema;
  example?: object;
}

function operationOf({ type, description, message, example }: Sent): object {
  return {
    operationId: `On${pascal(type)}`,
    summary: type,
    description,
    tags: ['webhooks'],
    security: [],
    parameters: [
      requiredHeader('webhook-id', 'Id of the event: the same at every attempt.'),
      requiredHeader('webhook-timestamp', 'Unix seconds of this attempt.'),
      requiredHeader('webhook-signature', 'One signature per secret, `v1,` and base64, apart by spaces.'),
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: message, ...(example ? { example } : {}) } },
    },
    responses: {
      204: { description: 'Any 2xx: it is delivered. Anything else is tried again for a day.' },
      410: { description: 'Nobody listens here any more: the endpoint is disabled.' },
    },
  };
}

/** The same at the operation that registers an endpoint: what its `url` gets from then on. */
export const callbacks = {
  event: {
    '{$request.body#/url}': {
      post: operationOf({
        type: 'event',
        description: 'Whatever the endpoint is subscribed to, signed with its secret.',
        message: { $ref: schemaRef('WebhookMessage') },
      }),
    },
  },
};
