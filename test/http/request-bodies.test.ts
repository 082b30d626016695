/** Request bodies arrive in one packet with the headers, later, in pieces or chunked, and the connection stays usable. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';

let base: string;
beforeAll(async () => {
  base = await listen(await testApp());
});

/** Writes the pieces one by one, waits for `count` responses and returns their bodies. */
async function responsesTo(pieces: readonly string[], count: number): Promise<unknown[]> {
  const { port, hostname } = new URL(base);
  const socket = connect(Number(port), hostname).setNoDelay();
  let received = '';
  const all = new Promise<unknown[]>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`closed after ${received}`)));
    socket.on('data', (chunk) => {
      received += chunk;
      const bodies = [...received.matchAll(/\r\n\r\n(\{.*?\})(?=HTTP\/1\.1|$)/gs)].map(([, body]) => body);
      if (bodies.length >= count) resolve(bodies.map((body) => JSON.parse(body ?? '')));
    });
  });
  for (const piece of pieces) {
    socket.write(piece);
    await sleep(20);
  }
  try {
    return await all;
  } finally {
    socket.removeAllListeners('close').destroy();
  }
}

const body = '{"query":"{ a: __typename }"}';
const other = '{"query":"{ other: __typename }"}';
const [response, otherResponse] = [{ data: { a: 'Query' } }, { data: { other: 'Query' } }];
const head = (framing: string, target = '/graphql') =>
  `POST ${target} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`;
const sized = (text: string) => `content-length: ${text.length}`;
const chunked = head('transfer-encoding: chunked');
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const whole = head(sized(body)) + body;

it.each<[way: string, pieces: string[], responses: unknown[]]>([
  ['with its headers', [whole], [response]],
  ['after its headers', [head(sized(body)), body], [response]],
  ['half with its headers', [head(sized(body)) + body.slice(0, 9), body.slice(9)], [response]],
  ['byte by byte', [head(sized(body)), ...body], [response]],
  ['in a chunk with its headers', [`${chunked}${chunk(body)}0\r\n\r\n`], [response]],
  ['in chunks', [chunked, chunk(body.slice(0, 5)), chunk(body.slice(5)), '0\r\n', '\r\n'], [response]],
  ['twice, one after the other', [whole, whole], [response, response]],
  ['pipelined with the next request', [whole + head(sized(other)) + other], [response, otherResponse]],
  [
    'pipelined with half of the next request',
    [whole + head(sized(other)) + other.slice(0, 9), other.slice(9)],
    [response, otherResponse],
  ],
  ['to Yoga, through the Fetch API', [head(sized(body), '/graphql?lane=yoga') + body], [response]],
])('%s', async (_way, pieces, responses) => {
  expect(await responsesTo(pieces, responses.length)).toEqual(responses);
});

it('rejects an empty body', async () => {
  const [rejection] = await responsesTo([head('content-length: 0')], 1);
  expect(rejection).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
});
