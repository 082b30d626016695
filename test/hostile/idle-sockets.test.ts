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
