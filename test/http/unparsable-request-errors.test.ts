/** Errors on a connection: a response whose headers have been sent is cut off, never followed by an error response. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { handleClientErrors } from '../../src/http/server/unparsable-request-errors.ts';

/** Everything that a client receives which sends a request and, after the first bytes of the response, text that is not HTTP. */
async function receivedAfterGarbage(respond: RequestListener): Promise<string> {
  const server = createServer(respond);
  handleClientErrors(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  let received = '';
  client.on('data', (chunk) => {
    received += chunk;
  });
  client.on('error', () => {});
  await once(client, 'data');
  client.write('no HTTP\r\n\r\n');
  await once(client, 'close');
  server.close();
  return received;
}

it('cuts off a response whose headers have been sent', async () => {
  const received = await receivedAfterGarbage((_request, response) => void response.write('begun'));
  expect(received).toContain('begun');
  expect(received).not.toContain('HTTP/1.1 400');
});

it('answers 400 after a complete response', async () => {
  const received = await receivedAfterGarbage((_request, response) => void response.end('whole'));
  expect(received).toMatch(/whole[\s\S]*HTTP\/1\.1 400 Bad Request[\s\S]*BAD_REQUEST/);
});
