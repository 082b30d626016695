/** OpenAPI of paths that are not routes: webhooks of payment providers and the callback of identity providers. */

import { errorResponsesFor } from './error-responses.ts';
import { headerRefs } from './headers.ts';
import { objectSchema, requiredHeader } from './json-schema.ts';

type Json = { [key: string]: unknown };

const curlSample = (parts: readonly string[]) => ({
  lang: 'Shell',
  label: 'curl',
  source: parts.join(' \\\n  '),
});

const paymentWebhook = (provider: string, signature: string): Record<string, Json> => ({
  post: {
    operationId: `Receive${provider}Event`,
    summary: `Receive an event from ${provider}`,
    description: `Webhook that ${provider} reports the results of payments and refunds to. The signature covers every byte of the body. A repeated event is processed once. 404 when another payment provider is configured.`,
    tags: ['payments'],
    'x-codeSamples': [
      curlSample([
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
      ...errorResponsesFor([
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

export const providerCallbackPaths: Readonly<Record<string, Record<string, Json>>> = {
  '/v1/payments/webhooks/stripe': paymentWebhook('Stripe', 'Stripe-Signature'),
  '/v1/payments/webhooks/sandbox': paymentWebhook('Sandbox', 'Sandbox-Signature'),
  '/v1/users/login/callback': {
    get: {
      operationId: 'FinishLoginRoundTrip',
      summary: 'Return from the identity provider',
      description:
        'Redirect target of the identity provider. Redirects the browser to the `redirectUrl` of the `login/url` request, with a `code` for `login` that is valid once and for one minute.',
      tags: ['users'],
      'x-codeSamples': [
        curlSample([`curl -i "$DUET_URL"'/v1/users/login/callback?state='"$STATE"'&code='"$CODE"`]),
      ],
      security: [],
      parameters: [
        query('state', 'State that `login/url` passed to the provider.'),
        query('code', 'Authorisation code of the provider.'),
        query('error', 'Error of the provider, instead of a code.'),
      ],
      responses: {
        302: {
          description: 'Redirect to the frontend, with `code` or `error` in the query.',
          headers: {
            ...headerRefs('X-Request-Id'),
            Location: { description: 'URL of the frontend.', schema: { type: 'string' } },
          },
        },
        ...errorResponsesFor(['BAD_REQUEST', 'VALIDATION_FAILED', 'RATE_LIMITED', 'INTERNAL', 'UNAVAILABLE']),
      },
    },
  },
};
