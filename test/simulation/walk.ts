/** Random walk: runs steps in a new world, and checks records after each step and consistency periodically. */
import { setTimeout as sleep } from 'node:timers/promises';
import { checkConsistency } from './consistency-check.ts';
import { ContractViolation } from './contract-violation.ts';
import type { Step } from './generate-steps.ts';
import { hangingDeadlineMs } from './operations/deadline-and-erasure-scenarios.ts';
import { operations } from './operations/index.ts';
import { checkRecords } from './record-invariants.ts';
import { Dice } from './seeded-random.ts';
import type { SharedDatabase } from './shared-database.ts';
import { createWorld, type World } from './world.ts';

export interface WalkFinding {
  violation: ContractViolation;
  /** Number of steps taken; the last one found the violation. */
  steps: number;
}

/** CPU milliseconds of the steps themselves, of the record checks and of the consistency checks. */
export type CpuTimes = Record<'steps' | 'records' | 'audit', number>;

export interface WalkOptions {
  auditEvery?: number;
  times?: CpuTimes;
  /** Called after each step. */
  progress?: (takenSteps: number) => void;
  tally?: World['tally'];
  /** Database shared with other walks; default: a new one. */
  database?: SharedDatabase | undefined;
  /** Time of `performance.now()` after which no step begins, in milliseconds. */
  until?: number | undefined;
}

export async function walk(
  steps: readonly Step[],
  {
    auditEvery = 100,
    times = { steps: 0, records: 0, audit: 0 },
    progress,
    tally,
    database,
    until,
  }: WalkOptions = {},
): Promise<WalkFinding | undefined> {
  // Creating the businesses calls the gateway, too.
  const world = await createWorld(tally, database).catch((error: unknown) => toViolation(error, undefined));
  if (world instanceof ContractViolation) return { violation: world, steps: 0 };
  let takenSteps = 0;
  try {
    await measure(times, 'records', () => checkRecords(world));
    for (const step of steps) {
      if (until !== undefined && performance.now() > until) break;
      takenSteps += 1;
      await measure(times, 'steps', () => runStep(world, step));
      await measure(times, 'records', () => checkRecords(world));
      if (takenSteps % auditEvery === 0) await measure(times, 'audit', () => checkConsistency(world));
      progress?.(takenSteps);
    }
    await measure(times, 'audit', () => checkConsistency(world));
    return undefined;
  } catch (error) {
    return { violation: toViolation(error, steps[takenSteps - 1]), steps: takenSteps };
  } finally {
    await world.close();
  }
}

async function runStep(world: World, { operation, actor, protocol, dice, failure }: Step): Promise<void> {
  const { ports, actors } = world;
  ports.failure = failure;
  const playing = operations[operation].play(world, { actor: actors[actor], protocol, dice: new Dice(dice) });
  try {
    await (failure === 'hangs' ? answerLate(world, playing, dice) : playing);
  } finally {
    ports.failure = undefined;
  }
}

/** Lets the ports do what they did not answer, or not, after requests got their response. Calls of jobs have no deadline. */
async function answerLate({ t, ports }: World, playing: Promise<void>, dice: number): Promise<void> {
  const choice = new Dice(dice ^ 0x1656_67b1);
  const config = t.app.services.config as { operationTimeoutMs: number };
  const usualDeadlineMs = config.operationTimeoutMs;
  config.operationTimeoutMs = hangingDeadlineMs;
  let isDone = false;
  const done = playing.finally(() => {
    isDone = true;
  });
  try {
    while (!isDone) {
      await Promise.race([done, sleep(hangingDeadlineMs)]);
      await ports.answerHangingCalls(choice.chance(0.5));
    }
    await done;
  } finally {
    config.operationTimeoutMs = usualDeadlineMs;
  }
}

async function measure(times: CpuTimes, part: keyof CpuTimes, work: () => Promise<void>): Promise<void> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  times[part] += (user + system) / 1000;
}

/** An error that the gateway throws outside of a response is a violation, too. */
const toViolation = (error: unknown, step: Step | undefined): ContractViolation =>
  error instanceof ContractViolation
    ? error
    : new ContractViolation(
        `thrown in ${step?.operation ?? 'the setup'}`,
        error instanceof Error ? (error.stack ?? error.message) : String(error),
      );
