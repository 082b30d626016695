/** What the REST voice has beside its rows: events that come in, and the way back from an identity provider. */

import { failures } from './error-responses.ts';
import { headerRefs } from './headers.ts';
import { objectSchema, requiredHeader } from './json-schema.ts';

type Json = { [key: string]: unknown };

const shell = (parts: readonly string[]) => ({ lang: 'Shell', label: 'curl', source: parts.join(' \\\n  ') });

const paymentEvents = (provider: string, signature: string): Record<string, Json> => ({
  post: {
    operationId: `Receive${provider}Event`,
    summary: `Receive an event of ${provider}`,
    description: `Where ${provider} reports what became of payments and refunds. The signature covers every byte of the body; an event counts once, however often it comes. Not there (404) while payments go another way.`,
    tags: ['payments'],
    'x-codeSamples': [
      shell([
        `curl -X POST "$DUET_URL"'/v1/payments/webhooks/${provider.toLowerCase()}'`,
        `-H "${signature}: $SIGNATURE"`,
        `-H 'Content-Type: application/json'`,
        '--data-binary @event.json',
      ]),
    ],
    security: [],
    parameters: [requiredHeader(signature, 'Signature of the body.')],
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
        'NOT_FOUND',
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
      'x-codeSamples': [
        shell([`curl -i "$DUET_URL"'/v1/users/login/callback?state='"$STATE"'&code='"$CODE"`]),
      ],
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
