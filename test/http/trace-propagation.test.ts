/** Trace propagation: every HTTP request of a port carries the traceparent header, with the real clients against local servers. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOpenAiBlockValueGenerator } from '../../src/adapters/block-value-generator/openai.ts';
import { createOidcProvider } from '../../src/adapters/identity/openid-connect.ts';
import { createS3MediaStore } from '../../src/adapters/media/s3.ts';
import { createStripePaymentProvider } from '../../src/adapters/payments/stripe.ts';
import { createTwilioSmsSender } from '../../src/adapters/sms/twilio.ts';
import { createWebhookSmsSender } from '../../src/adapters/sms/webhook.ts';
import { createHttpWebhookSender } from '../../src/adapters/webhooks/http.ts';
import { buildTraceHeaders, setSpanCollector, withSpan } from '../../src/lib/tracing.ts';
import { startOidcProvider } from '../support/oidc.ts';
import { startS3 } from '../support/s3-server.ts';
import { startStripeServer } from '../support/stripe-server.ts';

/** Every request that any server of this process receives. */
const received: { path: string; traceparent: unknown }[] = [];
const recordRequest = (message: unknown) => {
  const { url = '', headers } = (message as { request: IncomingMessage }).request;
  received.push({ path: url.replace(/\?.*/, ''), traceparent: headers.traceparent });
};
const completion = { choices: [{ message: { content: '{}' } }] };
const fakeServer = createServer((request, response) =>
  request.resume().on('end', () => response.end(JSON.stringify(completion))),
);

let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => fakeServer.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(fakeServer.address() as AddressInfo).port}`;
  subscribe('http.server.request.start', recordRequest);
  setSpanCollector({ ratio: 1, collect() {} });
});
afterAll(async () => {
  setSpanCollector(undefined);
  unsubscribe('http.server.request.start', recordRequest);
  fakeServer.close();
});

/** The requested paths, after checking that each request carried the trace of the call. */
async function requestedPaths(call: () => Promise<unknown>): Promise<string[]> {
  received.length = 0;
  const expected = await withSpan('call', 'client', {}, async () => {
    await call();
    return buildTraceHeaders().traceparent;
  });
  expect(received.map(({ traceparent }) => traceparent)).toEqual(received.map(() => expected));
  return received.map(({ path }) => path);
}

const message = { to: '+4915112345678', text: 'Hello', messageId: 'one' };
const twilio = { kind: 'twilio', accountSid: 'AC1', authToken: 'secret', from: '+15005550006' } as const;

it.each<[port: string, call: () => Promise<unknown>, path: string]>([
  ['sms by webhook', () => createWebhookSmsSender(`${url}/sms`).send(message), '/sms'],
  [
    'sms by Twilio',
    () => createTwilioSmsSender({ ...twilio, apiBase: url }).send(message),
    '/2010-04-01/Accounts/AC1/Messages.json',
  ],
  [
    'text',
    () =>
      createOpenAiBlockValueGenerator({ baseUrl: url, apiKey: undefined, model: 'small' }).generate(
        'Write',
        [],
      ),
    '/chat/completions',
  ],
  [
    'webhooks',
    () =>
      createHttpWebhookSender({ allowPrivate: true }).post({ url: `${url}/hook`, headers: {}, body: '{}' }),
    '/hook',
  ],
])('%s', async (_port, call, path) => {
  expect(await requestedPaths(call)).toEqual([path]);
});

it('payments', async () => {
  const server = await startStripeServer();
  const payments = createStripePaymentProvider({
    secretKey: 'sk',
    webhookSecret: 'whsec',
    apiBase: server.url,
  });
  expect(await requestedPaths(() => payments.findSession('cs_unknown'))).toEqual([
    '/v1/checkout/sessions/cs_unknown',
  ]);
  expect(await requestedPaths(() => payments.findPayment('pi_unknown'))).toEqual([
    '/v1/payment_intents/pi_unknown',
  ]);
});

it('media', async () => {
  const server = await startS3();
  const store = createS3MediaStore(server.options);
  const put = () => store.put('a/one', Readable.from([Buffer.from('abc')]), { size: 3, type: 'text/plain' });
  expect(await requestedPaths(put)).toEqual(['/duet-media/a/one']);
  const get = async () => (await store.get('a/one'))?.resume();
  expect(await requestedPaths(get)).toEqual(['/duet-media/a/one']);
  expect(await requestedPaths(() => store.removeAll('a'))).toEqual([
    '/duet-media',
    '/duet-media/a/one',
    '/duet-media',
  ]);
  await server.close();
});

it('identity', async () => {
  const redirectUri = 'http://127.0.0.1:1/back';
  const oidc = await startOidcProvider(redirectUri);
  oidc.accounts.set('ann', { email: 'ann@example.com', email_verified: true });
  const provider = createOidcProvider({ ...oidc, name: 'Them' });
  const request = { redirectUri, state: 's'.repeat(32), nonce: 'n'.repeat(32), codeVerifier: 'v'.repeat(64) };
  let address = '';
  const begin = async () => {
    address = await provider.authorizationUrl(request);
  };
  expect(await requestedPaths(begin)).toEqual(['/.well-known/openid-configuration']);
  const { search } = await oidc.signIn(address, 'ann');
  let token: string | undefined;
  const finish = async () => {
    token = (await provider.finish(request, search.slice(1))).token;
  };
  expect(await requestedPaths(finish)).toEqual(['/token', '/me']);
  expect(await requestedPaths(() => provider.revoke(token ?? ''))).toEqual(['/token/revocation']);
});
