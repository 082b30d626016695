/** Assertions that requests return identical bytes compiled and interpreted. */
import { expect } from 'vitest';
import { isValid, outcomeOf } from './compare.ts';
import { type RandomRequest, randomRequest } from './documents.ts';
import { type Failing, syntheticSchema } from './schema.ts';

export const schema = syntheticSchema();

/** Set by an environment variable: `DIFFERENTIAL_RUNS=200000 npx vitest run test/graphql/jit-differential`. */
const runs = Number(process.env.DIFFERENTIAL_RUNS ?? 1_500);
const start = Number(process.env.DIFFERENTIAL_SEED ?? 0);

export async function expectIdentical(
  request: RandomRequest,
  failing: Failing,
  seed: number,
): Promise<'same' | 'interpreted' | 'invalid'> {
  const outcome = await outcomeOf(schema, request, failing);
  if (typeof outcome === 'string') return outcome;
  const context = { seed, failing, ...request };
  expect({ ...context, result: outcome.compiled }).toEqual({ ...context, result: outcome.interpreted });
  return 'same';
}

export const timeoutOption = { timeout: 60_000 + runs * 100 };

/** Runs half of the documents: even seeds fail synchronously, odd seeds asynchronously. Two test files share them, because files run in parallel. */
export async function expectIdenticalAtRandom(failing: Failing): Promise<void> {
  const counts = { same: 0, interpreted: 0, invalid: 0 };
  const first = start + (start % 2 === (failing === 'now' ? 0 : 1) ? 0 : 1);
  for (let seed = first; seed < start + runs; seed += 2)
    counts[await expectIdentical(randomRequest(schema, seed), failing, seed)] += 1;
  // Most documents must be valid and compiled, otherwise the test would prove little.
  const sample = Array.from({ length: 200 }, (_item, index) => randomRequest(schema, first + index));
  expect(sample.filter((request) => isValid(schema, request)).length).toBeGreaterThan(180);
  expect(counts.invalid).toBeLessThan(runs * 0.05);
  expect(counts.same).toBeGreaterThan(runs * 0.2);
}
