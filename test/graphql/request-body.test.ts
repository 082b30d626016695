/** The bodies of GraphQL requests are read as JSON.parse reads them, whether their document was seen before or not. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGraphqlBody, readGraphqlBody } from '../../src/graphql/fast/request-body.ts';
import { collectCacheStats } from '../../src/lib/cache/cache-registry.ts';

const read = (text: string) => parseGraphqlBody(readGraphqlBody(Buffer.from(text)));

const outcome = (read: (text: string) => unknown, text: string) => {
  try {
    return { value: read(text) };
  } catch (error) {
    return { error: (error as Error).name };
  }
};

const document = fc.oneof(
  fc.constantFrom(
    '{ a }',
    '',
    '\\',
    '"',
    '\\"',
    'query { p(id: "a\\"b") }\n',
    'ü',
    '\u2028',
    'x'.repeat(6000),
  ),
  fc.string({ unit: 'binary' }),
);
const whole = fc
  .tuple(
    document,
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('query', '__proto__')), fc.jsonValue()),
  )
  .map(([query, others]) => JSON.stringify({ query, ...others }));
const broken = fc
  .tuple(
    whole,
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom('', '"', '\\', '{', '}', ',', ' ', 'x', '"query":1,'),
  )
  .map(([text, at, cut, put]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + cut);
  });

it('reads what JSON.parse reads, and refuses what it refuses', () => {
  fc.assert(
    fc.property(fc.oneof(whole, broken), (text) => {
      const expected = outcome(JSON.parse, Buffer.from(text).toString());
      // The second time its document is known.
      expect(outcome(read, text)).toStrictEqual(expected);
      expect(outcome(read, text)).toStrictEqual(expected);
    }),
    { numRuns: 2000 },
  );
});

it.each([
  ['{"query":"{ a }","query":"{ b }"}', { query: '{ b }' }],
  ['{"query":"{ a }" , "variables":{}}', { query: '{ a }', variables: {} }],
  ['{"query":"{ a }"} ', { query: '{ a }' }],
  ['{"query":"{ a }"}', { query: '{ a }' }],
])('reads %s', (text, value) => {
  expect(read(text)).toStrictEqual(value);
  expect(read(text)).toStrictEqual(value);
});

describe('which documents are known', () => {
  const bodyOf = (query: string) => JSON.stringify({ query, variables: { a: 1 } });
  const isKnown = (query: string) => readGraphqlBody(Buffer.from(bodyOf(query))).document !== undefined;
  let others = 0;
  /** Documents that come once, as from a client that writes its values into them. */
  const flood = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      others += 1;
      read(bodyOf(`{ once(n: ${others}) }`));
    }
  };

  it('those that come again, whatever came before and comes between', () => {
    flood(1000);
    const used = ['{ one }', '{ two }', '{ three }'];
    for (const query of used) read(bodyOf(query));
    for (const query of used) expect([query, isKnown(query)]).toEqual([query, true]);
    for (let round = 0; round < 5; round += 1) {
      flood(400);
      for (const query of used) expect([query, isKnown(query)]).toEqual([query, true]);
    }
  });

  it('none in a form in which it would not be found again', () => {
    const spaced = '{"query":"{ spaced }" ,"variables":{}}';
    const bytes = Buffer.concat([Buffer.from('{"query":"{ x }'), Buffer.from([0xff]), Buffer.from('"}')]);
    for (let time = 0; time < 3; time += 1) {
      expect(read(spaced)).toStrictEqual({ query: '{ spaced }', variables: {} });
      expect(parseGraphqlBody(readGraphqlBody(bytes))).toStrictEqual({ query: '{ x }\ufffd' });
    }
    for (const query of ['{ spaced }', '{ x }\ufffd'])
      expect(readGraphqlBody(Buffer.from(JSON.stringify({ query }))).document).toBeUndefined();
  });

  it('the metric stays through a collection of memory, and counts what could have been known', async () => {
    const before = collectCacheStats().get('document_texts');
    setFlagsFromString('--expose-gc');
    // What a weak reference was asked for stays until the turn ends.
    await new Promise((resolve) => setImmediate(resolve));
    runInNewContext('gc')();
    read('{"documentId":"a"}');
    read(bodyOf('{ seen }'));
    read(bodyOf('{ seen }'));
    const { hits = 0, misses = 0 } = before ?? {};
    expect(collectCacheStats().get('document_texts')).toMatchObject({ hits: hits + 1, misses: misses + 1 });
  });
});
