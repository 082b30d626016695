/** Walks a list of steps in a world of its own, and looks after each of them. */
import { checkBooks } from './books.ts';
import { Fault } from './fault.ts';
import type { Ground } from './ground.ts';
import { operations } from './operations/index.ts';
import { Dice } from './random.ts';
import type { Step } from './steps.ts';
import { sweep } from './sweep.ts';
import { createWorld, type World } from './world.ts';

export interface Found {
  fault: Fault;
  /** How many steps were taken, the last of which found it. */
  steps: number;
}

/** Where the processor's time went, in milliseconds: the gateway's own part, and the two that look. */
export type Times = Record<'play' | 'sweep' | 'books', number>;

export interface WalkOptions {
  booksEvery?: number;
  times?: Times;
  /** Told after each step. */
  progress?: (taken: number) => void;
  tally?: World['tally'];
  /** That others stood on before, and will. */
  ground?: Ground | undefined;
  /** No more steps after this moment, in milliseconds. */
  until?: number | undefined;
}

export async function walk(
  steps: readonly Step[],
  {
    booksEvery = 100,
    times = { play: 0, sweep: 0, books: 0 },
    progress,
    tally,
    ground,
    until,
  }: WalkOptions = {},
): Promise<Found | undefined> {
  // Opening the shops is asked of the gateway too.
  const world = await createWorld(tally, ground).catch((error: unknown) => asFault(error, undefined));
  if (world instanceof Fault) return { fault: world, steps: 0 };
  let taken = 0;
  try {
    await timed(times, 'sweep', () => sweep(world));
    for (const step of steps) {
      if (until !== undefined && performance.now() > until) break;
      taken += 1;
      await timed(times, 'play', () => take(world, step));
      await timed(times, 'sweep', () => sweep(world));
      if (taken % booksEvery === 0) await timed(times, 'books', () => checkBooks(world));
      progress?.(taken);
    }
    await timed(times, 'books', () => checkBooks(world));
    return undefined;
  } catch (error) {
    return { fault: asFault(error, steps[taken - 1]), steps: taken };
  } finally {
    await world.close();
  }
}

async function take(world: World, { operation, actor, voice, dice, trouble }: Step): Promise<void> {
  world.ports.trouble = trouble;
  try {
    await operations[operation].play(world, { actor: world.actors[actor], voice, dice: new Dice(dice) });
  } finally {
    world.ports.trouble = undefined;
  }
}

async function timed(times: Times, part: keyof Times, work: () => Promise<void>): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  times[part] += (user + system) / 1000;
}

/** What was thrown by the gateway itself, outside of any answer, is a fault as well. */
const asFault = (error: unknown, step: Step | undefined): Fault =>
  error instanceof Fault
    ? error
    : new Fault(
        `thrown in ${step?.operation ?? 'the opening'}`,
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
