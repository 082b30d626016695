/** Assumptions about node:http: the socket refers to its response, and requests are upgraded by their property `upgrade`. */
import { once } from 'node:events';
import { createServer, get, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { pendingResponseOf } from '../../src/vendor/node-http/pending-response.ts';
import { RequestWithWebSocketUpgrade } from '../../src/vendor/node-http/websocket-upgrades.ts';

// Seen on Node 20.
it('gives the response in progress, and nothing between two requests', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
  const connected = once(server, 'connection') as Promise<[Socket]>;
  const requested = once(server, 'request') as Promise<[unknown, ServerResponse]>;
  const [socket] = await connected;
  expect(pendingResponseOf(socket)).toBeUndefined();
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [, response] = await requested;
  expect(pendingResponseOf(socket)).toBe(response);
  expect(pendingResponseOf(socket)?.headersSent).toBe(false);
  response.write('a');
  expect(pendingResponseOf(socket)?.headersSent).toBe(true);
  response.end();
  await once(response, 'finish');
  expect(pendingResponseOf(socket)).toBeUndefined();
  client.destroy();
  server.close();
});

// Seen on Node 20.
it('upgrades requests for WebSocket only', async () => {
  const server = createServer({ IncomingMessage: RequestWithWebSocketUpgrade }, (_request, response) => {
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
