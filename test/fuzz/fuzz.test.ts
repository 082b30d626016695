/** Bounded runs with a seed that stays, and with the seed of the day: `npm run fuzz` asks as much as one likes. */
import { expect, it } from 'vitest';
import { dailySeed } from '../support/daily-seed.ts';
import { fuzz } from './fuzz.ts';

const requests = 300;

it.each([1, dailySeed])('seed %d finds nothing', async (seed) => {
  const tally = new Map<string, number>();
  const found = await fuzz({ seed, requests, seconds: 2, tally });
  const again = `npm run fuzz -- --seed ${seed} --requests ${requests}`;
  expect(found.map(({ request, violation: fault }) => `request ${request}: ${fault.message}\n${again}`)).toEqual([]);
  const answered = [...tally.keys()].filter((outcome) => / (?:200|fine)$/.test(outcome));
  // Chance alone may keep the others from it.
  if (seed === 1) expect(answered.length).toBeGreaterThan(20);
});
