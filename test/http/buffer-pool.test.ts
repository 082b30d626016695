/** Response buffers are reused, but never while a response is being sent. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { DispatchHttpRequest } from '../../src/http/dispatch-request.ts';
import { acquireFilledResponseBuffer } from '../../src/http/server/buffer-pool.ts';
import { createHttpServer } from '../../src/http/server/http-server.ts';
import { SegmentedBody } from '../../src/http-message.ts';

const segmented = (...parts: string[]) => new SegmentedBody(parts.map((part) => Buffer.from(part)));
const textOf = ({ bytes }: { bytes: Uint8Array }) => Buffer.from(bytes).toString();

it('concatenates the segments', () => {
  const body = segmented('{"items":[', 'é', ',', '', '2]}');
  expect(body.length).toBe(Buffer.byteLength('{"items":[é,2]}'));
  expect(textOf(acquireFilledResponseBuffer(body))).toBe('{"items":[é,2]}');
  expect(body.toBuffer().toString()).toBe('{"items":[é,2]}');
});

it('does not reuse a buffer before its release', () => {
  const first = acquireFilledResponseBuffer(segmented('a'.repeat(1000)));
  const second = acquireFilledResponseBuffer(segmented('b'.repeat(1000)));
  expect([textOf(first), textOf(second)]).toEqual(['a'.repeat(1000), 'b'.repeat(1000)]);
  first.release();
  const third = acquireFilledResponseBuffer(segmented('c'));
  expect(third.bytes.buffer).toBe(first.bytes.buffer);
  expect([textOf(second), textOf(third)]).toEqual(['b'.repeat(1000), 'c']);
});

it('allocates a separate buffer for a large body', () => {
  const large = acquireFilledResponseBuffer(segmented('x'.repeat(200_000)));
  large.release();
  expect(textOf(large)).toHaveLength(200_000);
  expect(acquireFilledResponseBuffer(segmented('y')).bytes.buffer).not.toBe(large.bytes.buffer);
});

it('sends every client its own bytes, also with slow and disconnecting clients', async () => {
  const bodyOf = (path: string) => path.repeat(60_000 / path.length);
  const dispatch: DispatchHttpRequest = async ({ path }) => ({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: segmented(bodyOf(path)),
  });
  const server = createHttpServer(dispatch, { isStopping: () => false });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const fetchBody = async (path: string, pauseMs: number): Promise<string> => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
    await once(socket, 'connect');
    await sleep(pauseMs);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString().split('\r\n\r\n')[1] ?? '';
  };
  const paths = Array.from({ length: 200 }, (_, index) => `/${String(index).padStart(3, '0')}`);
  const results = await Promise.all(
    paths.map(async (path, index) => {
      if (index % 10 === 0) connect(port, '127.0.0.1').end(`GET /left HTTP/1.1\r\nhost: x\r\n\r\n`).destroy();
      return (await fetchBody(path, index % 3 === 0 ? 100 : index % 7)) === bodyOf(path);
    }),
  );
  server.close();
  server.closeAllConnections();
  expect(results).toEqual(paths.map(() => true));
});
