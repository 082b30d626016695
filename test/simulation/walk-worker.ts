/** Worker process that runs walks in bundled source trees, one after the other. Loads the libraries and PGlite once for all of them. */

import type { generateSteps } from './generate-steps.ts';
import type { openSharedDatabase, SharedDatabase } from './shared-database.ts';
import type { CpuTimes, walk } from './walk.ts';

export interface WalkTask {
  /** Folder of the bundle. */
  folder: string;
  seed: number;
  steps: number;
  auditEvery: number;
  /** Seconds after which no further step begins. */
  seconds?: number | undefined;
}

export interface WalkOutcome {
  /** Message and kind of the violation; absent if there is none. */
  message?: string;
  kind?: string;
  /** Number of steps taken. */
  step: number;
  /** CPU time. */
  seconds: number;
  times: CpuTimes;
  tally: [string, number][];
}

type Bundle = {
  walk: typeof walk;
  generateSteps: typeof generateSteps;
  openSharedDatabase: typeof openSharedDatabase;
};

/** Worlds per database: dead rows of earlier worlds slow down later ones. */
const worldsPerDatabase = 20;
let current: { folder: string; database: SharedDatabase; worldsLeft: number } | undefined;

/** Reuses the database for worlds of the same bundle, except after a violation. */
async function databaseFor({ openSharedDatabase: open }: Bundle, folder: string): Promise<SharedDatabase> {
  if (current && (current.folder !== folder || current.worldsLeft === 0)) await removeDatabase();
  current ??= { folder, database: await open(), worldsLeft: worldsPerDatabase };
  current.worldsLeft -= 1;
  return current.database;
}

async function removeDatabase(): Promise<void> {
  await current?.database.remove();
  current = undefined;
}

async function runTask({ folder, seed, steps, auditEvery, seconds }: WalkTask): Promise<WalkOutcome> {
  const before = process.cpuUsage();
  const bundle: Bundle = await import(`${folder}/bundle-entry.js`);
  const times: CpuTimes = { steps: 0, records: 0, audit: 0 };
  const tally = new Map<string, number>();
  let step = 0;
  const finding = await bundle.walk(bundle.generateSteps(seed, steps), {
    ...{ auditEvery, times, tally, database: await databaseFor(bundle, folder) },
    until: seconds === undefined ? undefined : performance.now() + seconds * 1000,
    progress(stepsTaken) {
      step = stepsTaken;
    },
  });
  if (finding) await removeDatabase();
  const { user, system } = process.cpuUsage(before);
  return {
    ...(finding ? { message: finding.violation.message, kind: finding.violation.kind } : {}),
    step: finding?.steps ?? step,
    seconds: (user + system) / 1_000_000,
    times,
    tally: [...tally],
  };
}

process.on('message', async (task: WalkTask) => process.send?.(await runTask(task)));
