/** Compiled and interpreted execution return identical bytes, for all stored documents and for random ones. */
import { Kind, parse, print, separateOperations } from 'graphql';
import { describe, expect, it } from 'vitest';
import { isJitSafe } from '../../src/graphql/fast/jit-safety.ts';
import { isFullSuite } from '../support/sample-of-the-day.ts';
import { storedOperationSources } from '../support/stored-operations.ts';
import {
  expectIdentical,
  expectIdenticalAtRandom,
  schema,
  timeoutOption,
} from './differential/assert-identical-results.ts';
import { randomVariables } from './differential/documents.ts';

it('returns identical bytes for random documents whose fields throw synchronously', timeoutOption, () =>
  expectIdenticalAtRandom('now'),
);

/** All files together, because they share fragments. */
const stored = Object.entries(separateOperations(parse(storedOperationSources().join('\n'))));

/** Interpreted: graphql-jit loses variables inside literals. */
const withVariablesInLiterals = new Set(['SetMemberRole']);

it.each(stored)('returns identical bytes for the stored %s', async (name, document) => {
  expect(isJitSafe(document, 0)).toBe(!withVariablesInLiterals.has(name));
  const outcomes = new Set<string>();
  for (let seed = 0; seed < 6 && (isFullSuite || seed < 2 || !outcomes.has('same')); seed += 1) {
    const variables = randomVariables(schema, document, seed);
    const request = { query: print(document), variables };
    outcomes.add(await expectIdentical(request, seed % 2 === 0 ? 'now' : 'later', seed));
  }
  if (withVariablesInLiterals.has(name)) return expect([...outcomes]).toEqual(['interpreted']);
  expect([...outcomes]).toContain('same');
  expect([...outcomes]).not.toContain('interpreted');
});

describe('documents that graphql-jit would run differently are interpreted', () => {
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
    ['an alias with the name of an Object.prototype property', 'query { __proto__: __typename }'],
    [
      'a variable with the name of an Object.prototype property',
      'query ($constructor: ID!) { business(id: $constructor) { id } }',
    ],
    ['several mutation fields', 'mutation { a: deleteMe { id: deletedId } b: deleteMe { id: deletedId } }'],
  ])('%s', (_name, query) => {
    const document = parse(query);
    expect(document.definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION)).toBe(true);
    expect(isJitSafe(document, 0)).toBe(false);
  });
});
