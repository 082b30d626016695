/** The fault proxy injects the network failures that it is configured for. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';

/** Messages that the server received. */
const received: string[] = [];
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    received.push(String(chunk));
    socket.write(`did ${chunk}`);
  });
});
let proxy: FaultProxy;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  proxy = await startFaultProxy(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  proxy.resetConnections();
  proxy.restore();
  received.length = 0;
});
afterAll(async () => {
  await proxy.close();
  server.close();
});

interface Client {
  socket: Socket;
  responses: string[];
  /** Resolves when the socket closes: `end`, or an error code. */
  closed: Promise<string>;
}

async function client(): Promise<Client> {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  const responses: string[] = [];
  const closed = new Promise<string>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    socket.once('end', () => resolve('end'));
  });
  socket.on('data', (chunk) => responses.push(String(chunk)));
  await Promise.race([once(socket, 'connect').catch(() => {}), closed]);
  return { socket, responses, closed };
}

it('forwards data in order, with a delay if set, and closes with the client', async () => {
  const { socket, responses } = await client();
  socket.write('a');
  await expect.poll(() => responses).toEqual(['did a']);
  expect(proxy.openConnections).toBe(1);
  proxy.delay(30);
  const startedAt = performance.now();
  socket.write('b');
  await expect.poll(() => responses).toEqual(['did a', 'did b']);
  expect(performance.now() - startedAt).toBeGreaterThan(55);
  socket.end();
  await expect.poll(() => proxy.openConnections).toBe(0);
});

it('resets open connections and accepts new ones', async () => {
  const first = await client();
  first.socket.write('a');
  await expect.poll(() => first.responses).toEqual(['did a']);
  proxy.resetConnections();
  expect(await first.closed).toBe('ECONNRESET');
  const second = await client();
  second.socket.write('b');
  await expect.poll(() => second.responses).toEqual(['did b']);
});

it('refuses all connections until healed', async () => {
  const first = await client();
  proxy.refuseConnections();
  expect(await first.closed).toBe('ECONNRESET');
  expect(await (await client()).closed).toBe('ECONNRESET');
  proxy.restore();
  const third = await client();
  third.socket.write('c');
  await expect.poll(() => third.responses).toEqual(['did c']);
});

it('holds back all data without closing, and resumes when healed', async () => {
  const first = await client();
  proxy.stall();
  first.socket.write('a');
  const second = await client();
  second.socket.write('b');
  proxy.delay(1);
  const third = await client();
  expect([received, first.responses, second.responses, third.responses, proxy.openConnections]).toEqual([
    [],
    [],
    [],
    [],
    3,
  ]);
  proxy.restore();
  await expect.poll(() => [first.responses, second.responses]).toEqual([['did a'], ['did b']]);
});

it('drops data of existing connections permanently', async () => {
  const first = await client();
  first.socket.write('a');
  await expect.poll(() => first.responses).toEqual(['did a']);
  proxy.stallOpenConnections();
  first.socket.write('b');
  const second = await client();
  second.socket.write('c');
  await expect.poll(() => second.responses).toEqual(['did c']);
  expect([received, first.responses]).toEqual([['a', 'c'], ['did a']]);
});

it('loses the response to a request that was executed', async () => {
  const first = await client();
  const lost = proxy.dropResponse();
  first.socket.write('BEGIN');
  await expect.poll(() => first.responses).toEqual(['did BEGIN']);
  first.socket.write('COMMIT');
  await lost;
  expect(await first.closed).toBe('ECONNRESET');
  expect([received, first.responses]).toEqual([['BEGIN', 'COMMIT'], ['did BEGIN']]);
  const second = await client();
  second.socket.write('COMMIT');
  await expect.poll(() => second.responses).toEqual(['did COMMIT']);
});
