/** Malformed bytes on a raw socket: never a 5xx, and the process keeps running. */
import { connect } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';

let base: string;
beforeAll(async () => {
  base = await listen(await testApp());
});

/**
 * Statuses of all responses; empty if the connection was closed without one. Only truncated requests half-close the socket, because node
 * then discards responses that are not ready yet.
 */
function raw(text: string, isTruncated: boolean): Promise<number[]> {
  const { port, hostname } = new URL(base);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () =>
      resolve([...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))),
    );
    socket.write(text, 'latin1');
    if (isTruncated) socket.end();
  });
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;
const close = 'connection: close';
const query = '{"query":"{ __typename }"}';
const type = 'content-type: application/json';
const get = (target: string, ...headers: string[]) =>
  lines(`GET ${target} HTTP/1.1`, 'host: x', close, ...headers);
const post = (headers: string[], body = query, target = '/graphql') =>
  lines(`POST ${target} HTTP/1.1`, 'host: x', close, type, ...headers) + body;
const yoga = (host: string) =>
  lines(
    'POST /graphql?lane=yoga HTTP/1.1',
    ...(host ? [host] : []),
    close,
    type,
    `content-length: ${query.length}`,
  ) + query;
const smuggled = 'GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n';
const long = 'x'.repeat(20_000);

/** Requests, each with the allowed lists of response statuses. */
const corpus: Record<string, [text: string, ...allowed: number[][]]> = {
  'length and chunks': [
    post(['content-length: 2', 'transfer-encoding: chunked'], `0\r\n\r\n${smuggled}`),
    [400],
  ],
  'chunks and length': [
    post(['transfer-encoding: chunked', 'content-length: 5'], `0\r\n\r\n${smuggled}`),
    [400],
  ],
  'two lengths that differ': [post(['content-length: 2', 'content-length: 40'], `{}${smuggled}`), [400]],
  'two lengths that agree': [post(['content-length: 2', 'content-length: 2'], '{}'), [400]],
  'a list of lengths': [post(['content-length: 2, 2'], '{}'), [400]],
  'a negative length': [post(['content-length: -2'], '{}'), [400]],
  'a length with a sign': [post(['content-length: +2'], '{}'), [400]],
  'a length in hexadecimal': [post(['content-length: 0x2'], '{}'), [400]],
  'a huge length': [post(['content-length: 99999999999999999999'], '{}'), [400]],
  'chunks twice': [
    post(['transfer-encoding: chunked', 'transfer-encoding: chunked'], '0\r\n\r\n'),
    [400],
    [200],
  ],
  'chunks under another name': [post(['transfer-encoding: xchunked'], '0\r\n\r\n'), [400]],
  'chunks behind a tab': [post(['transfer-encoding:\tchunked'], '0\r\n\r\n'), [400], [200]],
  'a space before the colon': [post(['content-length : 2'], '{}'), [400]],
  'a folded header': [get('/health/live', 'x-a: b\r\n c'), [400], [200]],
  'bare line feeds': ['GET /health/live HTTP/1.1\nhost: x\nconnection: close\n\n', [200], [400]],
  'a zero byte in a header': [get('/health/live', 'x-a: \0'), [400]],
  'a truncated chunk': [post(['transfer-encoding: chunked'], `5\r\n{}\r\n0\r\n\r\n`), [400], []],
  'an invalid chunk size': [post(['transfer-encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'), [400]],
  'valid chunks': [
    post(['transfer-encoding: chunked'], `${query.length.toString(16)}\r\n${query}\r\n0\r\n\r\n`),
    [200],
  ],
  'a truncated body': [post(['content-length: 4000'], query), [], [400]],
  'truncated chunks': [post(['transfer-encoding: chunked'], '400\r\n{"que'), [], [400]],
  'a truncated header': ['POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-le', [], [400]],
  'two requests at once': [`GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n${get('/health/live')}`, [200, 200]],
  'an invalid host': [yoga('host: a b c'), [200]],
  'a host with an invalid port': [yoga('host: x:99999999'), [200]],
  'an empty host': [yoga('host: '), [200]],
  'two hosts': [lines('GET /health/live HTTP/1.1', 'host: x', 'host: y', close), [200], [400]],
  'no host': [yoga(''), [400]],
  'HTTP/1.0': ['GET /health/live HTTP/1.0\r\n\r\n', [200]],
  'HTTP/1.0 with a body': [
    `POST /graphql HTTP/1.0\r\n${type}\r\ncontent-length: ${query.length}\r\n\r\n${query}`,
    [200],
  ],
  'HTTP/0.9': ['GET /health/live\r\n\r\n', [400], []],
  'HTTP/2.0': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400], []],
  'no HTTP at all': ['\x16\x03\x01\x02\x00\x01\x00\x01', [400], []],
  'a repeated header': [get('/v1/users/me', ...Array(100).fill('authorization: Bearer x')), [401]],
  'two content types': [
    post([type, 'content-type: text/plain', `content-length: ${query.length}`]),
    [200],
    [400],
    [415],
  ],
  'a header of 20 KB': [get('/health/live', `x-long: ${long}`), [431]],
  'a target of 20 KB': [get(`/${long}`), [431], [414]],
  'headers of 20 KB together': [get('/health/live', ...Array(200).fill(`x-a: ${'x'.repeat(100)}`)), [431]],
  'an absolute target': [get('http://elsewhere.test/health/live'), [200], [404]],
  'an absolute target for Yoga': [
    post([`content-length: ${query.length}`], query, 'http://elsewhere.test/graphql?lane=yoga'),
    [200],
    [404],
  ],
  'a target of two slashes': [get('//graphql'), [404]],
  'a target that is a star': [lines('OPTIONS * HTTP/1.1', 'host: x', close), [404], [204], [400]],
  'a target without a slash': [get('health/live'), [400], [404]],
  'a percent sign alone': [get('/v1/businesses/%'), [400], [401], [404]],
  'percent-encoded bytes that are not UTF-8': [get('/v1/businesses/%ff%fe/products'), [400], [401], [404]],
  'a percent-encoded zero byte': [get('/v1/businesses/%00/products'), [400], [401], [404]],
  'path traversal': [get('/v1/../../etc/passwd'), [404]],
  'bytes above ASCII': [get('/v1/\xff\xfe'), [400], [404]],
  TRACE: [lines('TRACE /graphql HTTP/1.1', 'host: x', close), [405]],
  CONNECT: [lines('CONNECT /graphql HTTP/1.1', 'host: x', close), [], [400], [405]],
  'an upgrade': [get('/graphql', 'upgrade: websocket', 'connection: upgrade'), [400], [404], [200], [406]],
  'an unknown method': [lines('BREW /graphql HTTP/1.1', 'host: x', close), [400], [405]],
  'an expectation': [post(['expect: 100-continue', `content-length: ${query.length}`]), [100, 200]],
  'an unknown expectation': [post(['expect: miracles', `content-length: ${query.length}`]), [417]],
};

it.each(Object.entries(corpus))('%s', async (name, [text, ...allowed]) => {
  expect(await raw(text, /\btruncated\b/.test(name))).toBeOneOf(allowed);
  const startedAt = performance.now();
  expect((await fetch(`${base}/health/live`)).status).toBe(200);
  // Generous limit for busy machines: it only detects a blocked process.
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
