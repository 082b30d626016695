/** A process that walks in one built copy after the other: the libraries and the database's code are loaded once for all of them. */
import type { stepsOf } from './steps.ts';
import type { walk } from './walk.ts';

export interface Task {
  /** The folder of the built copy. */
  folder: string;
  seed: number;
  steps: number;
}

export interface Outcome {
  /** What it said when it found something. */
  said?: string;
  step: number;
  /** Processor time. */
  seconds: number;
}

type Copy = { walk: typeof walk; stepsOf: typeof stepsOf };

const booksEvery = 50;

async function take({ folder, seed, steps }: Task): Promise<Outcome> {
  const before = process.cpuUsage();
  const { walk, stepsOf } = (await import(`${folder}/copy.js`)) as Copy;
  const found = await walk(stepsOf(seed, steps), { booksEvery });
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1_000_000;
  return found ? { said: found.fault.message, step: found.steps, seconds } : { step: steps, seconds };
}

process.on('message', async (task: Task) => process.send?.(await take(task)));
