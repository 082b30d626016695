/** Sockets that send or read nothing: they occupy no upload slot, and are disconnected. */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DispatchHttpRequest } from '../../src/http/dispatch-request.ts';
import { createHttpServer, type HttpServerOptions } from '../../src/http/server/http-server.ts';
import { startBulk, uploadFile } from '../bulk/setup.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';

let t: TestApp;
let shop: Shop;
const sockets: Socket[] = [];

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'duet-idle-'));
  t = await testApp({ MEDIA_DIR: folder, RATE_LIMIT: 'off' });
  shop = await t.shop();
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await rm(folder, { recursive: true });
  });
});

async function listen(dispatch: DispatchHttpRequest, options: HttpServerOptions) {
  const server = createHttpServer(dispatch, options);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const countConnections = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  return { port, countConnections };
}

function openSocket(port: number, text: string): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  sockets.push(socket);
  socket.write(text);
  return socket;
}

const formHead = (path: string) =>
  [
    `POST ${path} HTTP/1.1`,
    'host: x',
    'content-type: multipart/form-data; boundary=b',
    'content-length: 100000',
    '',
    '--b',
    'content-disposition: form-data; name="token"',
    '',
    'made up',
    '--b',
    'content-disposition: form-data; name="file"; filename="x"',
    '',
    'some bytes',
  ].join('\r\n');

describe('uploads', () => {
  it('are received while anonymous sockets have sent the beginning of a form', async () => {
    const { port } = await listen(t.app.dispatch, {});
    const operation = await startBulk(t, shop, 'imports', { resource: 'PRODUCTS' });
    const path = new URL(operation.upload?.uploadUrl ?? '').pathname;
    for (let n = 0; n < 20; n += 1) {
      openSocket(port, formHead(path).split('--b\r\ncontent-disposition: form-data; name="file"')[0] ?? '');
      openSocket(port, formHead(`${path}x`));
    }
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((await uploadFile(t, operation, '{"name":"x"}\n')).status).toBe(201);
  });

  it('are received while another account sends many files slowly', async () => {
    const { port } = await listen(t.app.dispatch, {});
    const slow = await startBulk(t, await t.shop(), 'imports', { resource: 'PRODUCTS' });
    const { uploadUrl = '', fields = [] } = slow.upload ?? {};
    const parts = fields.map(
      ({ name, value }) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const form = formHead(new URL(uploadUrl).pathname).replace(/--b[\s\S]*made up\r\n/, parts.join(''));
    for (let n = 0; n < 30; n += 1) openSocket(port, form);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const operation = await startBulk(t, shop, 'imports', { resource: 'PRODUCTS' });
    expect((await uploadFile(t, operation, '{"name":"x"}\n')).status).toBe(201);
  });

  it('are ended when nothing more arrives', async () => {
    const { port } = await listen(t.app.dispatch, { receiveTimeoutMs: 3_000 });
    const startedAt = performance.now();
    const operation = await startBulk(t, shop, 'imports', { resource: 'PRODUCTS' });
    const socket = openSocket(
      port,
      formHead(new URL(operation.upload?.uploadUrl ?? '').pathname).slice(0, 200),
    );
    const answer = await new Promise<string>((resolve) =>
      socket.once('data', (data) => resolve(String(data))),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});

describe('a client that does not read its response', () => {
  const endless: DispatchHttpRequest = async () => ({
    status: 200,
    headers: { 'content-type': 'application/octet-stream' },
    body: new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024)),
    }),
  });
  const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

  it('is disconnected', async () => {
    const { port, countConnections } = await listen(endless, {
      unreadResponseTimeoutMs: 300,
      connectionCheckMs: 20,
    });
    openSocket(port, request).pause();
    await expect.poll(countConnections).toBe(1);
    await expect.poll(countConnections, { timeout: 15_000 }).toBe(0);
  });

  it('stays connected while it reads slowly', async () => {
    const { port } = await listen(endless, { unreadResponseTimeoutMs: 1_000, connectionCheckMs: 20 });
    const socket = openSocket(port, request);
    let received = 0;
    socket.on('data', (data) => {
      received += data.length;
      socket.pause();
      setTimeout(() => socket.resume(), 5);
    });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(socket.destroyed).toBe(false);
    expect(received).toBeGreaterThan(0);
    socket.destroy();
  });
});

describe('a client that sends many requests without waiting for responses', () => {
  const respond: DispatchHttpRequest = async () => ({ status: 200, headers: {}, body: 'x' });
  const requests = (count: number) => 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(count);

  it('is disconnected before they are processed', async () => {
    let processed = 0;
    const counted: DispatchHttpRequest = (request) => {
      processed += 1;
      return respond(request);
    };
    const { port } = await listen(counted, {});
    const socket = openSocket(port, requests(2_000)).resume();
    await expect.poll(() => socket.closed || processed === 2_000).toBe(true);
    expect(processed).toBeLessThan(200);
  });

  it('has one of them processed per tick', async () => {
    let [inTick, most] = [0, 0];
    const counted: DispatchHttpRequest = (request) => {
      inTick += 1;
      most = Math.max(most, inTick);
      setImmediate(() => (inTick = 0));
      return respond(request);
    };
    const { port } = await listen(counted, {});
    let received = '';
    openSocket(port, requests(100)).on('data', (data) => (received += data));
    await expect.poll(() => received.match(/HTTP\/1.1 200/g)?.length).toBe(100);
    expect(most).toBe(1);
  });

  it('gets all responses, in order, up to the limit, again and again', async () => {
    let processed = 0;
    const numbered: DispatchHttpRequest = async () => ({
      status: 200,
      headers: {},
      body: `n${processed++};`,
    });
    const { port } = await listen(numbered, {});
    let received = '';
    const socket = openSocket(port, '').on('data', (data) => (received += data));
    for (let round = 1; round <= 3; round += 1) {
      socket.write(requests(100));
      await expect.poll(() => received.match(/n\d+(?=;)/g)?.length).toBe(100 * round);
    }
    expect(received.match(/n\d+(?=;)/g)).toEqual(Array.from({ length: 300 }, (_item, index) => `n${index}`));
  });
});

describe('a body in chunks of one byte', () => {
  const echoLength: DispatchHttpRequest = async (request) => ({
    status: 200,
    headers: {},
    body: `${(await request.body(1_000_000)).length} bytes`,
  });
  const head = 'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n';
  const chunks = (count: number) => '1\r\nx\r\n'.repeat(count);

  it('is received', async () => {
    const { port } = await listen(echoLength, {});
    let received = '';
    openSocket(port, `${head}${chunks(15_000)}0\r\n\r\n`).on('data', (data) => (received += data));
    await expect.poll(() => received).toContain('15000 bytes');
  });

  it('is cut off when there are too many', async () => {
    const { port } = await listen(echoLength, {});
    const socket = openSocket(port, `${head}${chunks(40_000)}`).resume();
    await expect.poll(() => socket.closed, { timeout: 5_000 }).toBe(true);
  });
});
