/** The bodies of GraphQL requests are read as JSON.parse reads them, whether their document was seen before or not. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseBody, readBody } from '../../src/graphql/body.ts';

const read = (text: string) => parseBody(readBody(Buffer.from(text)));

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
