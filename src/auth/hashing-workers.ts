/** Threads of their own for argon2id, with low priority: a flood of sign-ins slows down sign-ins, not the shop. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createSemaphore } from '../lib/async/semaphore.ts';
import { argon2Options } from './hashing-cost.ts';

// Half the cores at most. Callers who would have to wait longer than two or three seconds are refused with a 503.
const threads = Math.max(1, Math.floor(availableParallelism() / 2));
const lane = createSemaphore({ maxRunning: threads, maxWaiting: 100 });

export type HashingTask = { password: string; hash?: string };

// As text, so that it runs alike from the sources and from the build. On Linux a priority belongs to the thread
// that asks for it; elsewhere it would be that of the whole process.
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const os = require('node:os');
if (process.platform === 'linux') try { os.setPriority(0, 10); } catch {}
const { hashSync, verifySync } = require(workerData.argon2);
parentPort.on('message', ({ password, hash }) => {
  try {
    const result = hash === undefined ? hashSync(password, workerData.cost) : verifySync(hash, password);
    parentPort.postMessage({ result });
  } catch (error) {
    parentPort.postMessage({ error: String(error) });
  }
});`;

const idle: Worker[] = [];

/** A hash for a password alone, true or false for a password with a hash. */
export const runHashing = (task: HashingTask): Promise<string | boolean> =>
  lane(async () => {
    const worker = idle.pop() ?? startWorker();
    worker.ref();
    const { result, error } = await answerOf(worker, task);
    // An idle thread must not keep the process from ending.
    worker.unref();
    idle.push(worker);
    if (result === undefined) throw new Error(error);
    return result;
  });

interface HashingAnswer {
  result?: string | boolean;
  error?: string;
}

/** Rejects when the thread ends instead of answering; it is not used again then. */
async function answerOf(worker: Worker, task: HashingTask): Promise<HashingAnswer> {
  const ended = new AbortController();
  const { signal } = ended;
  const answered = once(worker, 'message', { signal });
  const gone = once(worker, 'exit', { signal }).then(() => {
    throw new Error('A hashing thread ended.');
  });
  worker.postMessage(task);
  try {
    const [answer] = (await Promise.race([answered, gone])) as [HashingAnswer];
    return answer;
  } finally {
    ended.abort();
    // Removes the listener that lost the race; its rejection is expected.
    gone.catch(() => {});
  }
}

const startWorker = () =>
  new Worker(program, {
    eval: true,
    workerData: { argon2: createRequire(import.meta.url).resolve('@node-rs/argon2'), cost: argon2Options },
  });
