/** A body is the same however it comes: with its headers, after them, in pieces or in chunks; and the connection goes on. */
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { testApp } from '../support/app.ts';
import { listen } from '../support/browser.ts';

let base: string;
beforeAll(async () => {
  base = await listen(await testApp());
});

/** Writes the pieces one by one, and waits for so many answers: what they hold. */
async function answersTo(pieces: readonly string[], count: number): Promise<unknown[]> {
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
const [answer, otherAnswer] = [{ data: { a: 'Query' } }, { data: { other: 'Query' } }];
const head = (framing: string, target = '/graphql') =>
  `POST ${target} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${framing}\r\n\r\n`;
const sized = (text: string) => `content-length: ${text.length}`;
const chunked = head('transfer-encoding: chunked');
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const whole = head(sized(body)) + body;

it.each<[way: string, pieces: string[], answers: unknown[]]>([
  ['with its headers', [whole], [answer]],
  ['after its headers', [head(sized(body)), body], [answer]],
  ['half with its headers', [head(sized(body)) + body.slice(0, 9), body.slice(9)], [answer]],
  ['letter by letter', [head(sized(body)), ...body], [answer]],
  ['in a chunk with its headers', [`${chunked}${chunk(body)}0\r\n\r\n`], [answer]],
  ['in chunks', [chunked, chunk(body.slice(0, 5)), chunk(body.slice(5)), '0\r\n', '\r\n'], [answer]],
  ['twice, one after the other', [whole, whole], [answer, answer]],
  ['with the next one behind it', [whole + head(sized(other)) + other], [answer, otherAnswer]],
  [
    'with half of the next one behind it',
    [whole + head(sized(other)) + other.slice(0, 9), other.slice(9)],
    [answer, otherAnswer],
  ],
  ['to where Fetch is spoken', [head(sized(body), '/graphql?lane=yoga') + body], [answer]],
])('%s', async (_way, pieces, answers) => {
  expect(await answersTo(pieces, answers.length)).toEqual(answers);
});

it('without any is nothing', async () => {
  const [refused] = await answersTo([head('content-length: 0')], 1);
  expect(refused).toMatchObject({ errors: [{ extensions: { code: 'BAD_REQUEST' } }] });
});
