/** Walks a list of steps in a world of its own, and looks after each of them. */
import { checkBooks } from './books.ts';
import { Fault } from './fault.ts';
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

export interface WalkOptions {
  booksEvery?: number;
  /** Told after each step. */
  progress?: (taken: number) => void;
  tally?: World['tally'];
  /** No more steps after this moment, in milliseconds. */
  until?: number | undefined;
}

export async function walk(
  steps: readonly Step[],
  { booksEvery = 100, progress, tally, until }: WalkOptions = {},
): Promise<Found | undefined> {
  // Opening the shops is asked of the gateway too.
  const world = await createWorld(tally).catch((error: unknown) => asFault(error, undefined));
  if (world instanceof Fault) return { fault: world, steps: 0 };
  let taken = 0;
  try {
    await sweep(world);
    for (const step of steps) {
      if (until !== undefined && performance.now() > until) break;
      taken += 1;
      await take(world, step);
      if (taken % booksEvery === 0) await checkBooks(world);
      progress?.(taken);
    }
    await checkBooks(world);
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
  await sweep(world);
}

/** What was thrown by the gateway itself, outside of any answer, is a fault as well. */
const asFault = (error: unknown, step: Step | undefined): Fault =>
  error instanceof Fault
    ? error
    : new Fault(
        `thrown in ${step?.operation ?? 'the opening'}`,
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
