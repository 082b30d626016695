/** A bounded walk with a seed that stays, and on PostgreSQL one with the seed of the day: `npm run simulate` walks as far as one likes. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { dailySeed } from '../support/daily-seed.ts';
import { ContractViolation } from './contract-violation.ts';
import { type SharedDatabase, openSharedDatabase } from './shared-database.ts';
import { operations } from './operations/index.ts';
import { shrink } from './shrink.ts';
import { type Step, generateSteps } from './generate-steps.ts';
import { walk } from './walk.ts';
import { planWorlds } from './plan-worlds.ts';

const most = 70;

/** A database of the tests' own server. */
async function postgres(): Promise<SharedDatabase> {
  const db = await openDb({ url: await testDatabaseUrl() });
  return openSharedDatabase({ db, remove: () => db.close() });
}

describe.each([
  { seed: 1, on: 'PGlite', open: openSharedDatabase, flags: '' },
  { seed: dailySeed, on: 'PostgreSQL', open: postgres, flags: ' --postgres' },
])('seed $seed on $on', ({ seed, open, flags }) => {
  // A walk takes as long as the machine lets it.
  it('finds nothing', async () => {
    const tally = new Map<string, number>();
    const ground = await open();
    const found = await walk(generateSteps(seed, most), { tally, database: ground });
    await ground.remove();
    const again = `npm run simulate -- --seed ${seed} --steps ${most}${flags}`;
    expect(found && `step ${found.steps}: ${found.violation.message}\n${again}`).toBeUndefined();
    // Chance alone may keep the others from it.
    if (seed === 1) expect(tally.get('CreateProduct 200')).toBeGreaterThan(0);
  });
});

it('takes the same steps for the same seed', () => {
  expect(generateSteps(7, 50)).toEqual(generateSteps(7, 60).slice(0, 50));
  expect(generateSteps(7, 50)).not.toEqual(generateSteps(8, 50));
});

it('walks in the same worlds for the same seed, each of which has a seed of its own', () => {
  const places = planWorlds(7, 1100, 500);
  expect(places.map(({ steps }) => steps)).toEqual([500, 500, 100]);
  expect(places[0]?.seed).toBe(7);
  expect(places.slice(0, 2)).toEqual(planWorlds(7, 1000, 500));
  const seeds = [...planWorlds(7, 1000, 1), ...planWorlds(8, 1000, 1)].map(({ seed }) => seed);
  expect(new Set(seeds).size).toBe(seeds.length);
});

it('leaves out what a fault does not need', async () => {
  const steps = generateSteps(3, 40);
  const [first, second] = [steps[11], steps[29]] as [Step, Step];
  const fails = async (some: readonly Step[]) => {
    const at = some.indexOf(second);
    return at > some.indexOf(first) && some.includes(first)
      ? { fault: new ContractViolation('planted', ''), steps: at + 1 }
      : undefined;
  };
  expect(await shrink(steps, 'planted', fails)).toEqual([first, second]);
});

describe('what is planted', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is found, with the step that did it', async () => {
    vi.spyOn(operations.work, 'play').mockImplementation(async ({ t }) => {
      await t.db.sql('update variants set quantity = quantity + 1');
    });
    const steps: Step[] = [
      { operation: 'createProduct', actor: 'admin', protocol: 'rest', dice: 1 },
      { operation: 'work', actor: 'nobody', protocol: 'rest', dice: 1 },
    ];
    const found = await walk(steps);
    expect({ kind: found?.violation.kind, steps: found?.steps }).toEqual({
      kind: 'changed without a new version',
      steps: 2,
    });
  });
});
