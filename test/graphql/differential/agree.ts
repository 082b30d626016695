/** Expects random documents, or given ones, to be answered with the same bytes compiled and interpreted. */
import { expect } from 'vitest';
import { isValid, outcomeOf } from './compare.ts';
import { type RandomRequest, randomRequest } from './documents.ts';
import { type Failing, syntheticSchema } from './schema.ts';

export const schema = syntheticSchema();

/** More by a variable: `DIFFERENTIAL_RUNS=200000 npx vitest run test/graphql/differential`. */
const runs = Number(process.env.DIFFERENTIAL_RUNS ?? 3_000);
const start = Number(process.env.DIFFERENTIAL_SEED ?? 0);

export async function expectSame(
  request: RandomRequest,
  failing: Failing,
  seed: number,
): Promise<'same' | 'interpreted' | 'invalid'> {
  const outcome = await outcomeOf(schema, request, failing);
  if (typeof outcome === 'string') return outcome;
  const asked = { seed, failing, ...request };
  expect({ ...asked, answer: outcome.compiled }).toEqual({ ...asked, answer: outcome.interpreted });
  return 'same';
}

export const patience = { timeout: 60_000 + runs * 100 };

/** Half of the documents: even seeds fail at once, odd ones later. Two files share them, because files run at the same time. */
export async function expectSameAtRandom(failing: Failing): Promise<void> {
  const counted = { same: 0, interpreted: 0, invalid: 0 };
  const first = start + (start % 2 === (failing === 'now' ? 0 : 1) ? 0 : 1);
  for (let seed = first; seed < start + runs; seed += 2)
    counted[await expectSame(randomRequest(schema, seed), failing, seed)] += 1;
  // The test would prove little if most documents were not valid, or not compiled.
  const some = Array.from({ length: 200 }, (_item, index) => randomRequest(schema, first + index));
  expect(some.filter((request) => isValid(schema, request)).length).toBeGreaterThan(180);
  expect(counted.invalid).toBeLessThan(runs * 0.05);
  expect(counted.same).toBeGreaterThan(runs * 0.2);
}
