/** What the client packages say of the program that uses them. */
import { expect, it } from 'vitest';
import { type ClientOptions, Transport } from '../../packages/common/transport.ts';

async function sentWith(options: Partial<ClientOptions>) {
  const sent: Request[] = [];
  const transport = new Transport({
    url: 'http://shop.example',
    tokens: { accessToken: 'old', refreshToken: 'r', expiresAt: 0 },
    async fetch(request) {
      sent.push(request);
      return Response.json({ accessToken: 'new', expiresAt: Date.now() });
    },
    ...options,
  });
  await transport.send(new Request('http://shop.example/v1/users/me'), true);
  return sent.map(({ url, headers }) => [
    new URL(url).pathname,
    headers.get('authorization'),
    headers.get('x-client-name'),
    headers.get('x-duet-version'),
  ]);
}

it('names the program and the contract it was written for in every request, also when it renews its token', async () => {
  expect(await sentWith({ clientName: 'the till', version: '2026-11-01' })).toEqual([
    ['/v1/users/refresh', null, 'the till', '2026-11-01'],
    ['/v1/users/me', 'Bearer new', 'the till', '2026-11-01'],
  ]);
});

it('says nothing that it was not told', async () => {
  expect(await sentWith({})).toEqual([
    ['/v1/users/refresh', null, null, null],
    ['/v1/users/me', 'Bearer new', null, null],
  ]);
});
