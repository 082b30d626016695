/** Bodies that begin with a known query are parsed like all others. */
import { expect, it } from 'vitest';
import {
  addParsedBodyPrefix,
  type ParsedBodyPrefix,
  parseBodyAfterPrefix,
} from '../../src/graphql/fast/parsed-body-prefix-cache.ts';

const query = 'query A($id: ID!) {\n  product(id: "a\\"b", by: $id) { id }\n}';
const quoted = JSON.stringify(query);

function prefixesOf(...bodies: string[]) {
  const prefixes: ParsedBodyPrefix[] = [];
  for (const body of bodies) addParsedBodyPrefix(prefixes, body);
  return prefixes;
}

const prefixOf = (prefixes: readonly ParsedBodyPrefix[], body: string) =>
  prefixes.find(({ text }) => body.startsWith(text));

/** Undefined: the body begins with no prefix, or has to be parsed as a whole. */
function parse(prefixes: readonly ParsedBodyPrefix[], body: string) {
  const prefix = prefixOf(prefixes, body);
  return prefix && parseBodyAfterPrefix(prefix, body.slice(prefix.text.length));
}

it.each([
  ['variables', `{"query":${quoted},"variables":{"id":"1"}}`],
  ['spaces', `{ "query" : ${quoted} , "variables": {} }`],
  ['a name before the query', `{"operationName":"A","query":${quoted},"variables":{"id":"1"}}`],
  ['a name after the query', `{"query":${quoted},"operationName":"A"}`],
  ['a parameter called __proto__', `{"query":${quoted},"__proto__":{"query":"x"}}`],
])('recognises a body with %s', (_what, body) => {
  expect(parse(prefixesOf(body), body)).toEqual(JSON.parse(body));
});

it.each([
  ['a second query', `{"query":${quoted},"query":"{ a }"}`],
  ['a second name', `{"operationName":"A","query":${quoted},"operationName":"B"}`],
])('leaves a body with %s to the caller', (_what, body) => {
  const prefixes = prefixesOf(`{"query":${quoted},"x":1}`, `{"operationName":"A","query":${quoted},"x":1}`);
  expect(prefixOf(prefixes, body)).toBeDefined();
  expect(parse(prefixes, body)).toBeUndefined();
});

it.each([
  ['a comma and nothing else', `{"query":${quoted},}`],
  ['two objects', `{"query":${quoted},"x":1}{}`],
  ['an unfinished object', `{"query":${quoted},"variables":{`],
])('accepts no body with %s', (_what, body) => {
  expect(() => JSON.parse(body)).toThrow();
  const prefixes = prefixesOf(`{"query":${quoted},"x":1}`);
  expect(prefixOf(prefixes, body)).toBeDefined();
  expect(() => parse(prefixes, body) ?? JSON.parse(body)).toThrow();
});

it('keeps the newest 16 prefixes, each with an id of its own, and none of long bodies', () => {
  const bodyOf = (text: string) => JSON.stringify({ query: text, variables: {} });
  const bodies = Array.from({ length: 17 }, (_, index) => bodyOf(`{ a${index} }`));
  const prefixes = prefixesOf(...bodies, bodyOf('x'.repeat(20_000)));
  expect(bodies.map((body) => prefixOf(prefixes, body)?.id)).toEqual([
    undefined,
    ...bodies.slice(1).map((_, index) => index + 2),
  ]);
  expect(prefixes).toHaveLength(16);
});
