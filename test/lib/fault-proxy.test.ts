/** The network that fails on purpose does so in the way it was told to. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';

/** What the server was told. */
const told: string[] = [];
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (piece) => {
    told.push(String(piece));
    socket.write(`did ${piece}`);
  });
});
let proxy: FaultProxy;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  proxy = await startFaultProxy(`tcp://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
afterEach(() => {
  proxy.cut();
  proxy.heal();
  told.length = 0;
});
afterAll(async () => {
  await proxy.close();
  server.close();
});

interface Client {
  socket: Socket;
  heard: string[];
  /** What ended it: `end`, or the code of an error. */
  over: Promise<string>;
}

async function client(): Promise<Client> {
  const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  const heard: string[] = [];
  const over = new Promise<string>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    socket.once('end', () => resolve('end'));
  });
  socket.on('data', (piece) => heard.push(String(piece)));
  await Promise.race([once(socket, 'connect').catch(() => {}), over]);
  return { socket, heard, over };
}

it('forwards what is said, in order, and who hangs up', async () => {
  const { socket, heard } = await client();
  socket.write('a');
  await expect.poll(() => heard).toEqual(['did a']);
  expect(proxy.open).toBe(1);
  proxy.delay(30);
  const begun = performance.now();
  socket.write('b');
  await expect.poll(() => heard).toEqual(['did a', 'did b']);
  expect(performance.now() - begun).toBeGreaterThan(55);
  socket.end();
  await expect.poll(() => proxy.open).toBe(0);
});

it('resets what is open, and lets others in', async () => {
  const first = await client();
  first.socket.write('a');
  await expect.poll(() => first.heard).toEqual(['did a']);
  proxy.cut();
  expect(await first.over).toBe('ECONNRESET');
  const second = await client();
  second.socket.write('b');
  await expect.poll(() => second.heard).toEqual(['did b']);
});

it('refuses everybody until it is healed', async () => {
  const first = await client();
  proxy.refuse();
  expect(await first.over).toBe('ECONNRESET');
  expect(await (await client()).over).toBe('ECONNRESET');
  proxy.heal();
  const third = await client();
  third.socket.write('c');
  await expect.poll(() => third.heard).toEqual(['did c']);
});

it('swallows everything and closes nothing, and goes on when it is healed', async () => {
  const first = await client();
  proxy.halfOpen();
  first.socket.write('a');
  const second = await client();
  second.socket.write('b');
  proxy.delay(1);
  const third = await client();
  expect([told, first.heard, second.heard, third.heard, proxy.open]).toEqual([[], [], [], [], 3]);
  proxy.heal();
  await expect.poll(() => [first.heard, second.heard]).toEqual([['did a'], ['did b']]);
});

it('forgets the connections of now for good', async () => {
  const first = await client();
  first.socket.write('a');
  await expect.poll(() => first.heard).toEqual(['did a']);
  proxy.forget();
  first.socket.write('b');
  const second = await client();
  second.socket.write('c');
  await expect.poll(() => second.heard).toEqual(['did c']);
  expect([told, first.heard]).toEqual([['a', 'c'], ['did a']]);
});

it('loses the answer to what was done', async () => {
  const first = await client();
  const lost = proxy.loseAnswer();
  first.socket.write('BEGIN');
  await expect.poll(() => first.heard).toEqual(['did BEGIN']);
  first.socket.write('COMMIT');
  await lost;
  expect(await first.over).toBe('ECONNRESET');
  expect([told, first.heard]).toEqual([['BEGIN', 'COMMIT'], ['did BEGIN']]);
  const second = await client();
  second.socket.write('COMMIT');
  await expect.poll(() => second.heard).toEqual(['did COMMIT']);
});
