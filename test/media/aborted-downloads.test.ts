/** Downloads that clients abort close their files. */
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import { type Shop, type TestApp, testApp } from '../support/app.ts';
import { upload } from './setup.ts';

let t: TestApp;
let shop: Shop;
let folder: string;
let port: number;
const requests = { started: 0, finished: 0 };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'duet-aborted-'));
  t = await testApp({ MEDIA_DIR: folder });
  shop = await t.shop();
  const dispatch: typeof t.app.dispatch = async (request) => {
    requests.started += 1;
    try {
      return await t.app.dispatch(request);
    } finally {
      requests.finished += 1;
    }
  };
  const server = createHttpServer(dispatch, { receiveTimeoutMs: 10_000, connectionCheckMs: 1_000 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
  afterAll(async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    await rm(folder, { recursive: true });
  });
});

async function openFiles(): Promise<number> {
  const links = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(links)).filter((path) => path.startsWith(folder)).length;
}

/** Sends a request and disconnects after `ms`, without reading the response. */
const abortDownload = (path: string, ms: number) =>
  new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
      setTimeout(() => socket.destroy(), ms);
    });
    socket.pause();
    socket.on('error', () => {});
    socket.on('close', () => resolve());
  });

it('closes the files of fifty aborted downloads', async () => {
  const file = Buffer.alloc(8 * 1024 * 1024, 1);
  file.write('%PDF-1.7\n');
  const { body } = await upload(t, shop, file, { fileName: 'book.pdf', contentType: 'application/pdf' });
  const { pathname } = new URL((body as unknown as { url: string }).url);
  await Promise.all(Array.from({ length: 50 }, (_item, index) => abortDownload(pathname, 1 + (index % 10))));
  await expect.poll(() => requests.started).toBeGreaterThan(25);
  await expect.poll(() => requests.started - requests.finished).toBe(0);
  await expect.poll(openFiles).toBe(0);
});
