/** A process that walks in one built copy after the other: the libraries and the database's code are loaded once for all of them. */
import type { SharedDatabase, openSharedDatabase } from './shared-database.ts';
import type { generateSteps } from './generate-steps.ts';
import type { CpuTimes, walk } from './walk.ts';

export interface WalkTask {
  /** The folder of the built copy. */
  folder: string;
  seed: number;
  steps: number;
  auditEvery: number;
  /** After so many no further step is taken. */
  seconds?: number | undefined;
}

export interface WalkOutcome {
  /** What it said when it found something, and of which kind that is. */
  message?: string;
  kind?: string;
  /** How many were taken. */
  step: number;
  /** Processor time. */
  seconds: number;
  times: CpuTimes;
  tally: [string, number][];
}

type Copy = { walk: typeof walk; stepsOf: typeof generateSteps; openGround: typeof openSharedDatabase };

/** So many worlds stand on the same ground: what was deleted from it slows down those that come later. */
const worldsEach = 20;
let kept: { folder: string; ground: SharedDatabase; left: number } | undefined;

/** Of the same copy, and of no world in which something was found. */
async function groundOf({ openGround }: Copy, folder: string): Promise<SharedDatabase> {
  if (kept && (kept.folder !== folder || kept.left === 0)) await leaveGround();
  kept ??= { folder, ground: await openGround(), left: worldsEach };
  kept.left -= 1;
  return kept.ground;
}

async function leaveGround(): Promise<void> {
  await kept?.ground.remove();
  kept = undefined;
}

async function take({ folder, seed, steps, auditEvery: booksEvery, seconds }: WalkTask): Promise<WalkOutcome> {
  const before = process.cpuUsage();
  const copy: Copy = await import(`${folder}/copy.js`);
  const times: CpuTimes = { play: 0, sweep: 0, books: 0 };
  const tally = new Map<string, number>();
  let step = 0;
  const found = await copy.walk(copy.stepsOf(seed, steps), {
    ...{ auditEvery: booksEvery, times, tally, database: await groundOf(copy, folder) },
    until: seconds === undefined ? undefined : performance.now() + seconds * 1000,
    progress(taken) {
      step = taken;
    },
  });
  if (found) await leaveGround();
  const { user, system } = process.cpuUsage(before);
  return {
    ...(found ? { message: found.violation.message, kind: found.violation.kind } : {}),
    step: found?.steps ?? step,
    seconds: (user + system) / 1_000_000,
    times,
    tally: [...tally],
  };
}

process.on('message', async (task: WalkTask) => process.send?.(await take(task)));
