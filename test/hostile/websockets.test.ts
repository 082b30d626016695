/** Hostile WebSocket clients: idle, oversized, malformed, many, and slow to read. */
import { request as httpRequest, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import { type GraphqlSockets, serveGraphqlSockets } from '../../src/http/sockets/graphql-sockets.ts';
import { createMessageTurns } from '../../src/http/sockets/message-turns.ts';
import { type Person, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let server: Server;
let sockets: GraphqlSockets;
let port: number;
let customer: Person;
const opened: WebSocket[] = [];

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  customer = await t.person();
  server = createHttpServer(t.app.dispatch);
  sockets = serveGraphqlSockets(server, {
    dispatch: t.app.dispatch,
    trustedProxies: 0,
    isStopping: () => false,
    limits: { perNetwork: 20, perCredentials: 5, initMs: 500, pingMs: 2_000 },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

const within = { interval: 10, timeout: 10_000 };

afterEach(async () => {
  for (const socket of opened.splice(0)) socket.terminate();
  await expect.poll(() => sockets.count, within).toBe(0);
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

interface Client {
  socket: WebSocket;
  received: { type: string; id?: string; payload?: unknown }[];
  /** Close code, or the HTTP status of a rejected handshake. */
  closed: number | undefined;
}

function open({ protocol = 'graphql-transport-ws', path = '/graphql' } = {}): Client {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocol);
  opened.push(socket);
  const client: Client = { socket, received: [], closed: undefined };
  socket.on('message', (data) =>
    client.received.push(JSON.parse(String(data)) as Client['received'][number]),
  );
  socket.on('close', (code) => {
    client.closed ??= code;
  });
  socket.on('unexpected-response', (_request, { statusCode }) => {
    client.closed = statusCode;
  });
  socket.on('error', () => {});
  return client;
}

const send = ({ socket }: Client, ...messages: unknown[]) => {
  const sendAll = () => {
    for (const message of messages)
      socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  };
  if (socket.readyState === WebSocket.OPEN) sendAll();
  else socket.once('open', sendAll);
};

const init = (as?: Person) => ({
  type: 'connection_init',
  ...(as ? { payload: { headers: { Authorization: `Bearer ${as.token}` } } } : {}),
});
const me = (id: string) => ({ type: 'subscribe', id, payload: { query: '{ me { id } }' } });

it('disconnects clients that never initialise the connection', async () => {
  const idle = Array.from({ length: 10 }, () => open());
  await expect.poll(() => sockets.count, within).toBe(10);
  await expect.poll(() => idle.map(({ closed }) => closed), within).toEqual(idle.map(() => 4408));
});

it.each([
  ['an operation before connection_init', [me('1')], 4401],
  ['a second connection_init', [init(), init()], 4429],
  ['text that is not JSON', ['{'], 4400],
  ['an unknown message', [{ type: 'hello' }], 4400],
  ['a message of servers', [init(), { type: 'complete' }], 4400],
  [
    'a header with control characters',
    [{ type: 'connection_init', payload: { authorization: 'a\nb' } }],
    4400,
  ],
  ['a frame of 2 MB', [init(), me('x'.repeat(2_000_000))], 1009],
])('closes the connection for %s', async (_case, messages, code) => {
  const client = open();
  send(client, ...messages);
  await expect.poll(() => client.closed, within).toBe(code);
});

it('closes the connection for an operation id in use', async () => {
  const { businessId } = await t.shop();
  const query = `subscription { stockChanged(businessId: "${businessId}") { sku } }`;
  const client = open();
  const subscription = { type: 'subscribe', id: '1', payload: { query } };
  send(client, init(customer), subscription, subscription);
  await expect.poll(() => client.closed, within).toBe(4409);
});

it('closes the connection for a message in many fragments', async () => {
  const client = open();
  client.socket.once('open', () => {
    for (let n = 0; n < 300; n += 1) client.socket.send(' ', { fin: false });
  });
  await expect.poll(() => client.closed, within).toBe(1008);
});

it('processes messages in turns by network, for a millisecond per tick, in order', async () => {
  let time = 0;
  const turns = createMessageTurns({ clock: () => time });
  const processed: string[] = [];
  const calls: string[] = [];
  const socketOf = (name: string) => ({
    pause: () => void calls.push(`pause ${name}`),
    resume: () => void calls.push(`resume ${name}`),
  });
  const [flood, other] = [socketOf('flood'), socketOf('other')];
  const enter = (network: string, socket: typeof flood, name: string) =>
    turns.enter(network, socket, 100, () => {
      processed.push(name);
      time += 0.03;
    });
  for (let n = 0; n < 1_200; n += 1) enter('a', flood, `a${n}`);
  enter('b', other, 'b');
  expect(processed).toHaveLength(34);
  expect(calls).toEqual(['pause flood']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(processed.slice(34, 37)).toEqual(['a34', 'b', 'a35']);
  expect(processed).toHaveLength(68);
  await expect.poll(() => processed.length, within).toBe(1_201);
  expect(processed.filter((name) => name !== 'b')).toEqual(Array.from({ length: 1_200 }, (_, n) => `a${n}`));
  expect(calls).toEqual(['pause flood', 'resume flood']);
});

it('answers pings once per tick', async () => {
  const client = open();
  let pongs = 0;
  client.socket.on('pong', () => (pongs += 1));
  client.socket.once('open', () => {
    send(client, init());
    for (let n = 0; n < 1_000; n += 1) client.socket.ping(String(n));
  });
  await expect.poll(() => pongs, within).toBeGreaterThan(0);
  await expect.poll(() => client.received.length, within).toBe(1);
  expect(pongs).toBeLessThan(100);
});

it('rejects binary messages, other protocols and other paths', async () => {
  const binary = open();
  binary.socket.once('open', () => binary.socket.send(Buffer.from(JSON.stringify(init()))));
  await expect.poll(() => binary.closed, within).toBe(4400);
  const other = open({ protocol: 'graphql-ws' });
  await expect.poll(() => other.closed, within).toBeDefined();
  expect(other.received).toEqual([]);
  const elsewhere = open({ path: '/v1/users' });
  await expect.poll(() => elsewhere.closed, within).toBe(404);
});

it('limits connections per network and per credentials, and frees them on disconnect', async () => {
  const anonymous = Array.from({ length: 20 }, () => open());
  for (const client of anonymous) send(client, init());
  await expect.poll(() => anonymous.filter(({ received }) => received.length === 1).length, within).toBe(20);
  const tooMany = open();
  await expect.poll(() => tooMany.closed, within).toBe(429);
  for (const { socket } of anonymous) socket.close();
  await expect.poll(() => sockets.count, within).toBe(0);
  const signedIn = Array.from({ length: 6 }, () => open());
  for (const client of signedIn) send(client, init(customer));
  await expect.poll(() => signedIn.map(({ closed }) => closed).sort(), within).toEqual([1013, ...Array(5)]);
});

it('limits the operations that one connection runs at the same time', async () => {
  const { businessId } = await t.shop();
  const query = `subscription { stockChanged(businessId: "${businessId}") { sku } }`;
  const client = open();
  const subscribe = (_: unknown, n: number) => ({ type: 'subscribe', id: String(n), payload: { query } });
  send(client, init(customer), ...Array.from({ length: 120 }, subscribe));
  const errors = () => client.received.filter(({ type }) => type === 'error');
  await expect.poll(() => errors().length, within).toBe(20);
  expect(JSON.stringify(errors()[0]?.payload)).toContain('RATE_LIMITED');
  expect(client.closed).toBeUndefined();
});

it('disconnects a client that stops reading', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(
    'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
      'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
  );
  socket.pause();
  const frame = (text: string) =>
    // Masked with zeros.
    Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), Buffer.from(text)]);
  socket.write(frame('{"type":"connection_init"}'));
  await expect.poll(() => sockets.count, within).toBe(1);
  for (let n = 0; n < 50; n += 1)
    socket.write(frame(`{"type":"subscribe","id":"${n}","payload":{"query":"{_service{sdl}}"}}`));
  await expect.poll(() => sockets.count, within).toBe(0);
  socket.destroy();
});

it('ends the operations of a client that disconnects', async () => {
  const { businessId } = await t.shop();
  const client = open();
  const query = 'subscription ($b: ID!) { stockChanged(businessId: $b) { sku } }';
  send(client, init(customer), {
    type: 'subscribe',
    id: '1',
    payload: { query, variables: { b: businessId } },
  });
  await expect.poll(() => t.app.services.live.state.watching, within).toBe(1);
  client.socket.terminate();
  await expect.poll(() => t.app.services.live.state.watching, within).toBe(0);
});

it('answers requests that ask for another protocol than WebSocket', async () => {
  const status = await new Promise((resolve, reject) => {
    const body = JSON.stringify({ query: '{ __typename }' });
    const headers = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAMAAABkAAQAAP__',
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const request = httpRequest(
      { port, host: '127.0.0.1', path: '/graphql', method: 'POST', headers },
      (response) => {
        response.resume();
        resolve(response.statusCode);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
  expect(status).toBe(200);
});

it('closes idle connections at shutdown', async () => {
  const client = open();
  send(client, init(customer));
  await expect.poll(() => client.received.length, within).toBe(1);
  sockets.close();
  await expect.poll(() => client.closed, within).toBe(1012);
  const late = open();
  await expect.poll(() => late.closed, within).toBe(503);
});
