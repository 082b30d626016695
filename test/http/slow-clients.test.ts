/** Clients that send too slowly get a 408 response and are disconnected, without blocking others. */
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import { type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let port: number;
const sockets: Socket[] = [];

beforeAll(async () => {
  t = await testApp();
  const server = createHttpServer(t.app.dispatch, { receiveTimeoutMs: 150, connectionCheckMs: 20 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
});

/** Sends a text, then one byte every 10 ms until the server closes the connection; returns everything received. */
function trickle(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    let received = '';
    socket.write(text);
    const dripping = setInterval(() => socket.write('x'), 10);
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(dripping);
      resolve(received);
    });
  });
}

const post = (path: string, head = '') =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n${head}\r\n{`;
const message = 'The request did not arrive in time.';
const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);
const restBody = { error: 'REQUEST_TIMEOUT', message, details: [], validationErrors: [], requestId };
const graphqlBody = {
  errors: [{ message, extensions: { code: 'REQUEST_TIMEOUT', details: [], requestId } }],
};

it.each([
  ['a REST body', post('/v1/users/login'), restBody],
  ['a GraphQL body', post('/graphql'), graphqlBody],
  ['a GraphQL body for Yoga', post('/graphql?lane=yoga'), graphqlBody],
  ['headers', 'GET /v1/users/me HTTP/1.1\r\nhost: x\r\nx-slow: ', restBody],
  ['a body that no route reads', `${post('/health/live').replace('POST', 'GET')}`, undefined],
])('%s', async (_name, text, body) => {
  const received = await trickle(text);
  expect(received).toMatch(body ? /^HTTP\/1\.1 408 / : /^HTTP\/1\.1 200 /);
  if (!body) return;
  expect(received.toLowerCase()).toContain('connection: close');
  expect(JSON.parse(received.slice(received.indexOf('\r\n\r\n') + 4))).toEqual(body);
  expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200);
});
