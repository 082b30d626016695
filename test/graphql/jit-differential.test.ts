/** Compiled and interpreted execution give the same bytes, for every stored document and for random ones. */
import { Kind, parse, print, separateOperations } from 'graphql';
import { describe, expect, it } from 'vitest';
import { isJitSafe } from '../../src/graphql/fast/jit-safety.ts';
import { storedOperationSources } from '../support/stored-operations.ts';
import { expectSame, expectSameAtRandom, patience, schema } from './differential/agree.ts';
import { randomVariables } from './differential/documents.ts';

it('gives the same bytes for random documents whose fields fail at once', patience, () =>
  expectSameAtRandom('now'),
);

/** All files together: they use fragments of each other. */
const stored = Object.entries(separateOperations(parse(storedOperationSources().join('\n'))));

it.each(stored)('gives the same bytes for the stored %s', async (_name, document) => {
  expect(isJitSafe(document, 0)).toBe(true);
  const outcomes = new Set<string>();
  for (let seed = 0; seed < 6; seed += 1) {
    const variables = randomVariables(schema, document, seed);
    const request = { query: print(document), variables };
    outcomes.add(await expectSame(request, seed % 2 === 0 ? 'now' : 'later', seed));
  }
  expect([...outcomes]).toContain('same');
  expect([...outcomes]).not.toContain('interpreted');
});

describe('what cannot be compiled faithfully is interpreted', () => {
  it.each([
    [
      'a variable in a JSON literal',
      'mutation ($x: JSON) { updateMe(input: { businessUserConfigs: [{ businessId: "b", settings: { c: $x } }] }) { user { id } } }',
    ],
    ['a variable in a list', 'query ($x: ID!) { products(businessId: "b", ids: [$x]) { totalCount } }'],
    [
      'a skipped fragment',
      'query { product(businessId: "b", id: "p") { ...F @skip(if: true) ...F } } fragment F on Product { id }',
    ],
    ['an included field', 'query ($x: Boolean!) { __typename @include(if: $x) }'],
    ['an alias of every object', 'query { __proto__: __typename }'],
    ['a variable of every object', 'query ($constructor: ID!) { business(id: $constructor) { id } }'],
    ['several changes', 'mutation { a: deleteMe { id } b: deleteMe { id } }'],
  ])('%s', (_name, query) => {
    const document = parse(query);
    expect(document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)).toBe(true);
    expect(isJitSafe(document, 0)).toBe(false);
  });
});
