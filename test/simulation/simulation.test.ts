/** Bounded walks: with a fixed seed on PGlite, and with the seed of the day on PostgreSQL. `npm run simulate` runs longer ones. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openDb } from '../../src/db/open-db.ts';
import { dailySeed } from '../support/daily-seed.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { ContractViolation } from './contract-violation.ts';
import { generateSteps, type Step } from './generate-steps.ts';
import { operations } from './operations/index.ts';
import { planWorlds } from './plan-worlds.ts';
import { openSharedDatabase, type SharedDatabase } from './shared-database.ts';
import { shrink } from './shrink.ts';
import { walk } from './walk.ts';

/** A step takes five times as long on PGlite: only the scripted first steps run there. */
const stepCounts = { PGlite: 40, PostgreSQL: 70 } as const;

/** Database on the PostgreSQL server of the tests. */
async function openPostgres(): Promise<SharedDatabase> {
  const db = await openDb({ url: await testDatabaseUrl() });
  return openSharedDatabase({ db, remove: () => db.close() });
}

describe.each([
  { seed: 1, on: 'PGlite', open: () => openSharedDatabase(), flags: '' },
  { seed: dailySeed, on: 'PostgreSQL', open: openPostgres, flags: ' --postgres' },
] as const)('seed $seed on $on', ({ seed, on, open, flags }) => {
  const stepCount = stepCounts[on];

  it('finds no violation', async () => {
    const tally = new Map<string, number>();
    const database = await open();
    const finding = await walk(generateSteps(seed, stepCount), { tally, database });
    await database.remove();
    const command = `npm run simulate -- --seed ${seed} --steps ${stepCount}${flags}`;
    expect(finding && `step ${finding.steps}: ${finding.violation.message}\n${command}`).toBeUndefined();
    // Other seeds may not create a product.
    if (seed === 1) expect(tally.get('CreateProduct 200')).toBeGreaterThan(0);
  });
});

it('generates the same steps for the same seed', () => {
  expect(generateSteps(7, 50)).toEqual(generateSteps(7, 60).slice(0, 50));
  expect(generateSteps(7, 50)).not.toEqual(generateSteps(8, 50));
});

it('plans the same worlds for the same seed, each with its own seed', () => {
  const worlds = planWorlds(7, 1100, 500);
  expect(worlds.map(({ steps }) => steps)).toEqual([500, 500, 100]);
  expect(worlds[0]?.seed).toBe(7);
  expect(worlds.slice(0, 2)).toEqual(planWorlds(7, 1000, 500));
  const seeds = [...planWorlds(7, 1000, 1), ...planWorlds(8, 1000, 1)].map(({ seed }) => seed);
  expect(new Set(seeds).size).toBe(seeds.length);
});

it('removes the steps that a violation does not need', async () => {
  const steps = generateSteps(3, 40);
  const [first, second] = [steps[11], steps[29]] as [Step, Step];
  const findViolation = async (candidate: readonly Step[]) => {
    const index = candidate.indexOf(second);
    return index > candidate.indexOf(first) && candidate.includes(first)
      ? { violation: new ContractViolation('planted', ''), steps: index + 1 }
      : undefined;
  };
  expect(await shrink(steps, 'planted', findViolation)).toEqual([first, second]);
});

describe('a planted bug', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is found at the step that triggered it', async () => {
    vi.spyOn(operations.runJobs, 'play').mockImplementation(async ({ t }) => {
      await t.db.write('update variants set quantity = quantity + 1');
    });
    const steps: Step[] = [
      { operation: 'createProduct', actor: 'admin', protocol: 'rest', dice: 1 },
      { operation: 'runJobs', actor: 'anonymous', protocol: 'rest', dice: 1 },
    ];
    const database = await openPostgres();
    const finding = await walk(steps, { database });
    await database.remove();
    expect({ kind: finding?.violation.kind, steps: finding?.steps }).toEqual({
      kind: 'changed without a new version',
      steps: 2,
    });
  });
});
