/** A bounded run with a seed that stays: `npm run fuzz` asks as much as one likes. */
import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

const [seed, requests] = [1, 1500];

it('finds nothing', { timeout: 240_000 }, async () => {
  const tally = new Map<string, number>();
  const found = await fuzz({ seed, requests, seconds: 4, tally });
  const again = `npm run fuzz -- --seed ${seed} --requests ${requests}`;
  expect(found.map(({ request, fault }) => `request ${request}: ${fault.message}\n${again}`)).toEqual([]);
  const answered = [...tally.keys()].filter((outcome) => / (?:200|fine)$/.test(outcome));
  expect(answered.length).toBeGreaterThan(20);
});
