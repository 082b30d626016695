/** What the REST voice has beside its rows: events that come in, events that go out, and the way back from an identity provider. */
import { webhookEvents } from '../../src/generated/domains/vocabulary.ts';
import { type JsonSchema, objectSchema, schemaRef } from './json-schema.ts';
import { failures, headerRefs } from './responses.ts';

type Json = { [key: string]: unknown };

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const paymentEvents = (provider: string, signature: string): Record<string, Json> => ({
  post: {
    operationId: `Receive${provider}Event`,
    summary: `Receive an event of ${provider}`,
    description: `Where ${provider} reports what became of payments and refunds. The signature covers every byte of the body; an event counts once, however often it comes.`,
    tags: ['payments'],
    security: [],
    parameters: [header(signature, 'Signature of the body.')],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: { type: 'object', description: `An event as ${provider} sends it.` } },
      },
    },
    responses: {
      200: {
        description: 'Received.',
        headers: headerRefs('X-Request-Id'),
        content: {
          'application/json': {
            schema: objectSchema({ received: { type: 'boolean' } }, ['received']),
            example: { received: true },
          },
        },
      },
      ...failures([
        'BAD_REQUEST',
        'REQUEST_TIMEOUT',
        'PAYLOAD_TOO_LARGE',
        'RATE_LIMITED',
        'INTERNAL',
        'UNAVAILABLE',
      ]),
    },
  },
});

const query = (name: string, description: string) => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
});

export const pathsBeyondRows: Readonly<Record<string, Record<string, Json>>> = {
  '/v1/payments/webhooks/stripe': paymentEvents('Stripe', 'Stripe-Signature'),
  '/v1/payments/webhooks/sandbox': paymentEvents('Sandbox', 'Sandbox-Signature'),
  '/v1/users/login/callback': {
    get: {
      operationId: 'FinishLoginRoundTrip',
      summary: 'Come back from the identity provider',
      description:
        'Where the identity provider sends the browser. Forwards it to the `redirectUrl` that `login/url` was asked with, with a code for `login`: single use, one minute.',
      tags: ['users'],
      security: [],
      parameters: [
        query('state', 'What `login/url` gave the provider to bring back.'),
        query('code', 'The code of the provider.'),
        query('error', 'Why there is no code.'),
      ],
      responses: {
        302: {
          description: 'To the frontend, with `code` or `error` in the query.',
          headers: {
            ...headerRefs('X-Request-Id'),
            Location: { description: 'The frontend.', schema: { type: 'string' } },
          },
        },
        ...failures(['BAD_REQUEST', 'VALIDATION_FAILED', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE']),
      },
    },
  },
};

/** The body of every delivery, after the Standard Webhooks specification. */
export const deliverySchema: JsonSchema = objectSchema(
  {
    type: { type: 'string', enum: Object.keys(webhookEvents), description: 'What happened.' },
    timestamp: { type: 'string', format: 'date-time', description: 'When it happened.' },
    data: { type: 'object', description: 'Ids and facts. People are named by their ids alone.' },
  },
  ['type', 'timestamp', 'data'],
  'What an endpoint is sent.',
);

const pascal = (type: string) => type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** What the gateway sends to the endpoints that a business registered. */
export const webhooks = Object.fromEntries(
  Object.entries(webhookEvents).map(([type, description]) => [
    type,
    {
      post: {
        operationId: `On${pascal(type)}`,
        summary: type,
        description,
        tags: ['webhooks'],
        security: [],
        parameters: [
          header('webhook-id', 'Id of the event: the same at every attempt.'),
          header('webhook-timestamp', 'Unix seconds of this attempt.'),
          header('webhook-signature', 'One signature per secret, `v1,` and base64, apart by spaces.'),
        ],
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: { $ref: schemaRef('WebhookMessage') },
              example: { type, timestamp: '2026-01-01T00:00:00.000Z', data: {} },
            },
          },
        },
        responses: {
          204: { description: 'Any 2xx: it is delivered. Anything else is tried again for a day.' },
          410: { description: 'Nobody listens here any more: the endpoint is disabled.' },
        },
      },
    },
  ]),
);
