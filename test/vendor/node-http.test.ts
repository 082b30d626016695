/** Assumption about node:http: requests are upgraded by their property `upgrade`. */
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { expect, it } from 'vitest';
import { WebSocketOnlyUpgradeRequest } from '../../src/vendor/node-http/websocket-upgrades.ts';

// Seen on Node 20.
it('upgrades requests for WebSocket only', async () => {
  const server = createServer({ IncomingMessage: WebSocketOnlyUpgradeRequest }, (_request, response) => {
    response.end();
  });
  server.on('upgrade', (_request, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const statusFor = async (upgrade: string) => {
    const request = get({ port, host: '127.0.0.1', headers: { connection: 'Upgrade', upgrade } });
    const event = await Promise.race(
      ['response', 'upgrade'].map((name) => once(request, name) as Promise<[{ statusCode: number }]>),
    );
    request.destroy();
    return event[0].statusCode;
  };
  expect(await statusFor('h2c')).toBe(200);
  expect(await statusFor('WebSocket')).toBe(101);
  server.close();
});
