/** Bodies that begin with a known query are parsed like all others. */
import { expect, it } from 'vitest';
import { addQueryStart, parseAfterStart, type QueryStart } from '../../src/graphql/fast/query-starts.ts';

const query = 'query A($id: ID!) {\n  product(id: "a\\"b", by: $id) { id }\n}';
const quoted = JSON.stringify(query);

function startsOf(...bodies: string[]) {
  const starts: QueryStart[] = [];
  for (const body of bodies) addQueryStart(starts, body);
  return starts;
}

const startOf = (starts: readonly QueryStart[], body: string) =>
  starts.find(({ text }) => body.startsWith(text));

/** Undefined: the body begins with no start, or has to be parsed as a whole. */
function parse(starts: readonly QueryStart[], body: string) {
  const start = startOf(starts, body);
  return start && parseAfterStart(start, body.slice(start.text.length));
}

it.each([
  ['variables', `{"query":${quoted},"variables":{"id":"1"}}`],
  ['spaces', `{ "query" : ${quoted} , "variables": {} }`],
  ['a name before the query', `{"operationName":"A","query":${quoted},"variables":{"id":"1"}}`],
  ['a name after the query', `{"query":${quoted},"operationName":"A"}`],
  ['a parameter called __proto__', `{"query":${quoted},"__proto__":{"query":"x"}}`],
])('recognises a body with %s', (_what, body) => {
  expect(parse(startsOf(body), body)).toEqual(JSON.parse(body));
});

it.each([
  ['a second query', `{"query":${quoted},"query":"{ a }"}`],
  ['a second name', `{"operationName":"A","query":${quoted},"operationName":"B"}`],
])('leaves a body with %s to the caller', (_what, body) => {
  const starts = startsOf(`{"query":${quoted},"x":1}`, `{"operationName":"A","query":${quoted},"x":1}`);
  expect(startOf(starts, body)).toBeDefined();
  expect(parse(starts, body)).toBeUndefined();
});

it.each([
  ['a comma and nothing else', `{"query":${quoted},}`],
  ['two objects', `{"query":${quoted},"x":1}{}`],
  ['an unfinished object', `{"query":${quoted},"variables":{`],
])('accepts no body with %s', (_what, body) => {
  expect(() => JSON.parse(body)).toThrow();
  const starts = startsOf(`{"query":${quoted},"x":1}`);
  expect(startOf(starts, body)).toBeDefined();
  expect(() => parse(starts, body) ?? JSON.parse(body)).toThrow();
});

it('keeps the newest 16 starts, each with an id of its own, and none of long bodies', () => {
  const bodyOf = (text: string) => JSON.stringify({ query: text, variables: {} });
  const bodies = Array.from({ length: 17 }, (_, index) => bodyOf(`{ a${index} }`));
  const starts = startsOf(...bodies, bodyOf('x'.repeat(20_000)));
  expect(bodies.map((body) => startOf(starts, body)?.id)).toEqual([
    undefined,
    ...bodies.slice(1).map((_, index) => index + 2),
  ]);
  expect(starts).toHaveLength(16);
});
