/** Compiled and interpreted execution give the same bytes, for every stored document and for random ones. */
import { readdirSync, readFileSync } from 'node:fs';
import { Kind, parse, print, separateOperations } from 'graphql';
import { describe, expect, it } from 'vitest';
import { compilesFaithfully } from '../../src/graphql/faithful.ts';
import { answersTo } from './differential/compare.ts';
import { type RandomRequest, randomRequest, randomVariables } from './differential/documents.ts';
import { type Failing, syntheticSchema } from './differential/schema.ts';

const schema = syntheticSchema();
/** More by a variable: `DIFFERENTIAL_RUNS=20000 npx vitest run test/graphql/differential.test.ts`. */
const runs = Number(process.env.DIFFERENTIAL_RUNS ?? 1500);
const start = Number(process.env.DIFFERENTIAL_SEED ?? 0);

async function expectSame(
  request: RandomRequest,
  failing: Failing,
  seed: number,
): Promise<'compiled' | 'interpreted' | 'invalid'> {
  const answers = await answersTo(schema, request, failing);
  if (!answers) return 'invalid';
  if (answers.compiled === undefined) return 'interpreted';
  if (answers.compiled !== answers.interpreted)
    expect({ seed, ...request, answer: answers.compiled }).toEqual({
      seed,
      ...request,
      answer: answers.interpreted,
    });
  return 'compiled';
}

it('gives the same bytes for random documents', { timeout: 60_000 + runs * 100 }, async () => {
  const counted = { compiled: 0, interpreted: 0, invalid: 0 };
  for (let seed = start; seed < start + runs; seed += 1) {
    const failing = seed % 2 === 0 ? 'now' : 'later';
    counted[await expectSame(randomRequest(schema, seed), failing, seed)] += 1;
  }
  // The test would prove little if most documents were not valid, or not compiled.
  expect(counted.invalid).toBeLessThan(runs * 0.1);
  expect(counted.compiled).toBeGreaterThan(runs * 0.4);
});

const stored = readdirSync('schema/operations').flatMap((file) =>
  Object.entries(separateOperations(parse(readFileSync(`schema/operations/${file}`, 'utf8')))),
);

it.each(stored)('gives the same bytes for the stored %s', async (_name, document) => {
  expect(compilesFaithfully(document, 0)).toBe(true);
  for (let seed = 0; seed < 6; seed += 1) {
    const variables = randomVariables(schema, document, seed);
    const outcome = await expectSame(
      { query: print(document), variables },
      seed % 2 === 0 ? 'now' : 'later',
      seed,
    );
    expect(outcome).not.toBe('interpreted');
  }
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
    expect(compilesFaithfully(document, 0)).toBe(false);
  });
});
