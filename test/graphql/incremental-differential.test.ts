/** Results in parts merge to the whole response: all stored queries and those of the examples, with @defer and @stream everywhere. */
import { OperationTypeNode, parse, print } from 'graphql';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { routes } from '../../src/generated/domains/routes.ts';
import { createWorld, viewerNames, type World } from '../parity/fixtures.ts';
import { domains, samples } from '../parity/samples/index.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { isFullSuite, isInSampleOfDay } from '../support/daily-seed.ts';
import { routeVariables } from '../support/protocol-clients.ts';
import { operationOf } from './caches/cached-operation.ts';
import { exampleOperations } from './caches/example-operations.ts';
import { insertIncrementalDirectives } from './incremental/insert-directives.ts';
import {
  type IncrementalResult,
  mergeResults,
  postIncrementally,
  type ResponseError,
  readResults,
} from './incremental/read-results.ts';

let t: TestApp;
let world: World;
let queries: { name: string; source: string; variables(): Record<string, unknown> }[];

beforeAll(async () => {
  t = await testApp({ RATE_LIMIT: 'off' });
  world = await createWorld(t, domains);
  const stored = routes.map((route) => ({
    name: route.operation.name,
    source: route.operation.source,
    variables: () => routeVariables(route, samples[route.operation.name]?.(world) ?? {}),
  }));
  queries = [
    ...new Map([...stored, ...exampleOperations(world)].map((query) => [query.name, query])).values(),
  ].filter(({ source }) => operationOf(parse(source)).operation === OperationTypeNode.QUERY);
  // Quotes and links contain the time.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
}, 180_000);
afterAll(() => {
  vi.useRealTimers();
});

/** Without duplicates: a part stops the propagation of nulls, after which a whole response reports one error only. */
const codesOf = (errors: readonly ResponseError[]) =>
  [...new Set(errors.map(({ extensions }) => extensions.code))].sort();

/** Directives down to the depth at which the number of parts is within its limit. */
async function runInParts(
  source: string,
  seed: number,
  post: (query: string) => Promise<Response>,
): Promise<IncrementalResult[]> {
  for (const maxDepth of [20, 4, 3, 2, 1]) {
    const document = insertIncrementalDirectives(parse(source), seed, maxDepth);
    const results = await readResults(await post(print(document)));
    if (!results[0]?.errors?.[0]?.message.startsWith('The query is too')) return results;
  }
  throw new Error('Every document has too many parts.');
}

const mediaTypes = [
  'multipart/mixed',
  'text/event-stream;incrementalSpec=v0.2',
  'multipart/mixed;incrementalSpec=v0.2',
  'text/event-stream',
] as const;

/** Each query by the next media type and format, and for the next viewer by another one; in the full suite by all of them. */
const mediaTypesOf = (index: number) =>
  isFullSuite ? mediaTypes : mediaTypes.filter((_type, position) => position === index % mediaTypes.length);

/** The results merge to the whole response, in the requested format. */
function assertPartsOf(
  results: readonly IncrementalResult[],
  whole: { data: unknown; errors: readonly ResponseError[] },
  context: { name: string; viewer: string; accept: string },
): void {
  const merged = mergeResults(results);
  const [part] = results.flatMap(({ incremental = [] }) => incremental);
  if (part)
    expect({ ...context, hasPath: 'path' in part }).toEqual({
      ...context,
      hasPath: !context.accept.includes('Spec'),
    });
  expect({ ...context, codes: codesOf(merged.errors) }).toEqual({ ...context, codes: codesOf(whole.errors) });
  if (whole.errors.length === 0)
    expect({ ...context, data: merged.data }).toEqual({ ...context, data: whole.data });
  expect(results.slice(0, -1).every(({ hasNext }) => hasNext)).toBe(true);
  if (results.length > 1) expect(results.at(-1)?.hasNext).toBe(false);
}

it.each(viewerNames.map((viewer, index) => [viewer, index] as const))('as %s', async (viewer, offset) => {
  let parts = 0;
  for (const [index, { name, source, variables }] of queries.entries()) {
    // Every query for a third of the viewers; the other viewers on the next days.
    if (!isInSampleOfDay(index + offset, 3)) continue;
    const as = world.viewers[viewer];
    const whole = await t.graphql(source, variables(), { as });
    for (const accept of mediaTypesOf(index + offset)) {
      const results = await runInParts(source, index, (query) =>
        postIncrementally(t, query, variables(), as, accept),
      );
      parts += results.flatMap(({ incremental = [] }) => incremental).length;
      assertPartsOf(results, whole, { name, viewer, accept });
    }
  }
  expect(parts).toBeGreaterThan((viewer === 'nobody' ? 20 : 100) / (isFullSuite ? 1 : 3));
});
