/** Parsing of GraphQL request bodies is equivalent to JSON.parse, with and without a cached document. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseGraphqlBody, splitGraphqlBody } from '../../src/graphql/fast/request-body.ts';
import { collectCacheStats } from '../../src/lib/cache/cache-registry.ts';

const read = (text: string) => parseGraphqlBody(splitGraphqlBody(Buffer.from(text)));

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
const validBody = fc
  .tuple(
    document,
    fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('query', '__proto__')), fc.jsonValue()),
  )
  .map(([query, otherFields]) => JSON.stringify({ query, ...otherFields }));
const brokenBody = fc
  .tuple(
    validBody,
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom('', '"', '\\', '{', '}', ',', ' ', 'x', '"query":1,'),
  )
  .map(([text, offset, removed, inserted]) => {
    const index = offset % (text.length + 1);
    return text.slice(0, index) + inserted + text.slice(index + removed);
  });

it('returns and throws the same as JSON.parse', () => {
  fc.assert(
    fc.property(fc.oneof(validBody, brokenBody), (text) => {
      const expected = outcome(JSON.parse, Buffer.from(text).toString());
      // The second time the document is cached.
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

describe('cached documents', () => {
  const bodyOf = (query: string) => JSON.stringify({ query, variables: { a: 1 } });
  const isCached = (query: string) => splitGraphqlBody(Buffer.from(bodyOf(query))).document !== undefined;
  let sentOnce = 0;
  /** Sends documents once, like a client that interpolates values into its documents. */
  const flood = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      sentOnce += 1;
      read(bodyOf(`{ once(n: ${sentOnce}) }`));
    }
  };

  it('keeps repeated documents cached while many otherFields are sent once', () => {
    flood(1000);
    const repeatedQueries = ['{ one }', '{ two }', '{ three }'];
    for (const query of repeatedQueries) read(bodyOf(query));
    for (const query of repeatedQueries) expect([query, isCached(query)]).toEqual([query, true]);
    for (let round = 0; round < 5; round += 1) {
      flood(400);
      for (const query of repeatedQueries) expect([query, isCached(query)]).toEqual([query, true]);
    }
  });

  it('does not cache a document whose bytes would not match again', () => {
    const spaced = '{"query":"{ spaced }" ,"variables":{}}';
    const bytes = Buffer.concat([Buffer.from('{"query":"{ x }'), Buffer.from([0xff]), Buffer.from('"}')]);
    for (let round = 0; round < 3; round += 1) {
      expect(read(spaced)).toStrictEqual({ query: '{ spaced }', variables: {} });
      expect(parseGraphqlBody(splitGraphqlBody(bytes))).toStrictEqual({ query: '{ x }\ufffd' });
    }
    for (const query of ['{ spaced }', '{ x }\ufffd'])
      expect(splitGraphqlBody(Buffer.from(JSON.stringify({ query }))).document).toBeUndefined();
  });

  it('keeps the metric through a garbage collection, and counts only bodies with a document', async () => {
    const before = collectCacheStats().get('document_texts');
    setFlagsFromString('--expose-gc');
    // The target of a dereferenced WeakRef is retained until the current tick ends.
    await new Promise((resolve) => setImmediate(resolve));
    runInNewContext('gc')();
    read('{"documentId":"a"}');
    read(bodyOf('{ seen }'));
    read(bodyOf('{ seen }'));
    const { hits = 0, misses = 0 } = before ?? {};
    expect(collectCacheStats().get('document_texts')).toMatchObject({ hits: hits + 1, misses: misses + 1 });
  });
});
