/** The other half of the random documents of differential.test.ts: those whose fields answer and fail later. */
import { it } from 'vitest';
import { expectSameAtRandom, patience } from './differential/agree.ts';

it('gives the same bytes for random documents whose fields fail later', patience, () =>
  expectSameAtRandom('later'),
);
