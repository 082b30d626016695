/** The asynchronous half of the random documents of jit-differential.test.ts: fields resolve and reject as promises. */
import { it } from 'vitest';
import { expectIdenticalAtRandom, timeoutOption } from './differential/assert-identical-results.ts';

it('returns identical bytes for random documents whose fields reject', timeoutOption, () =>
  expectIdenticalAtRandom('later'),
);
