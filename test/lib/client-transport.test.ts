/** Headers that the client packages send to identify the application. */
import { expect, it } from 'vitest';
import { type ClientOptions, Transport } from '../../packages/common/transport.ts';

async function headersSentWith(options: Partial<ClientOptions>) {
  const requests: Request[] = [];
  const transport = new Transport({
    url: 'http://shop.example',
    tokens: { accessToken: 'old', refreshToken: 'r', expiresAt: 0 },
    async fetch(request) {
      requests.push(request);
      return Response.json({ accessToken: 'new', expiresAt: Date.now() });
    },
    ...options,
  });
  await transport.send(new Request('http://shop.example/v1/users/me'), true);
  return requests.map(({ url, headers }) => [
    new URL(url).pathname,
    headers.get('authorization'),
    headers.get('x-client-name'),
    headers.get('x-duet-version'),
  ]);
}

it('sends client name and API version with every request, including token refresh', async () => {
  expect(await headersSentWith({ clientName: 'the till', version: '2026-11-01' })).toEqual([
    ['/v1/users/refresh', null, 'the till', '2026-11-01'],
    ['/v1/users/me', 'Bearer new', 'the till', '2026-11-01'],
  ]);
});

it('sends no headers for options that are not set', async () => {
  expect(await headersSentWith({})).toEqual([
    ['/v1/users/refresh', null, null, null],
    ['/v1/users/me', 'Bearer new', null, null],
  ]);
});
