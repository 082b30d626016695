/** Walks a list of steps in a world of its own, and looks after each of them. */
import { checkConsistency } from './consistency-check.ts';
import { ContractViolation } from './contract-violation.ts';
import type { SharedDatabase } from './shared-database.ts';
import { operations } from './operations/index.ts';
import { Dice } from './seeded-random.ts';
import type { Step } from './generate-steps.ts';
import { checkRecords } from './record-invariants.ts';
import { createWorld, type World } from './world.ts';

export interface WalkFinding {
  violation: ContractViolation;
  /** How many steps were taken, the last of which found it. */
  steps: number;
}

/** Where the processor's time went, in milliseconds: the gateway's own part, and the two that look. */
export type CpuTimes = Record<'play' | 'sweep' | 'books', number>;

export interface WalkOptions {
  auditEvery?: number;
  times?: CpuTimes;
  /** Told after each step. */
  progress?: (taken: number) => void;
  tally?: World['tally'];
  /** That others stood on before, and will. */
  database?: SharedDatabase | undefined;
  /** No more steps after this moment, in milliseconds. */
  until?: number | undefined;
}

export async function walk(
  steps: readonly Step[],
  {
    auditEvery: booksEvery = 100,
    times = { play: 0, sweep: 0, books: 0 },
    progress,
    tally,
    database: ground,
    until,
  }: WalkOptions = {},
): Promise<WalkFinding | undefined> {
  // Opening the shops is asked of the gateway too.
  const world = await createWorld(tally, ground).catch((error: unknown) => asFault(error, undefined));
  if (world instanceof ContractViolation) return { violation: world, steps: 0 };
  let taken = 0;
  try {
    await timed(times, 'sweep', () => checkRecords(world));
    for (const step of steps) {
      if (until !== undefined && performance.now() > until) break;
      taken += 1;
      await timed(times, 'play', () => take(world, step));
      await timed(times, 'sweep', () => checkRecords(world));
      if (taken % booksEvery === 0) await timed(times, 'books', () => checkConsistency(world));
      progress?.(taken);
    }
    await timed(times, 'books', () => checkConsistency(world));
    return undefined;
  } catch (error) {
    return { violation: asFault(error, steps[taken - 1]), steps: taken };
  } finally {
    await world.close();
  }
}

async function take(world: World, { operation, actor, protocol: voice, dice, failure: trouble }: Step): Promise<void> {
  world.ports.failure = trouble;
  try {
    await operations[operation].play(world, { actor: world.actors[actor], protocol: voice, dice: new Dice(dice) });
  } finally {
    world.ports.failure = undefined;
  }
}

async function timed(times: CpuTimes, part: keyof CpuTimes, work: () => Promise<void>): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  times[part] += (user + system) / 1000;
}

/** What was thrown by the gateway itself, outside of any answer, is a fault as well. */
const asFault = (error: unknown, step: Step | undefined): ContractViolation =>
  error instanceof ContractViolation
    ? error
    : new ContractViolation(
        `thrown in ${step?.operation ?? 'the opening'}`,
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
