/** Worker threads with low priority for argon2id, so that a flood of sign-ins slows down sign-ins only. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createBoundedWorkQueue } from '../lib/async/bounded-work-queue.ts';
import { argon2Options } from './argon2-cost-and-dummy-hash.ts';

// At most half the cores. A full queue (100 tasks, two to three seconds; one network has half of it) is rejected with a 503.
const maxThreads = Math.max(1, Math.floor(availableParallelism() / 2));
const runLimited = createBoundedWorkQueue({ maxRunning: maxThreads, maxWaiting: 100, label: 'sign-ins' });

export type PasswordHashingTask = { password: string; hash?: string };

// Source text, so that it runs from the sources and from the bundle alike. On Linux `setPriority` applies to the calling thread;
// on other platforms it would apply to the whole process.
const workerSource = `
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

const idleWorkers: Worker[] = [];

/** Without `hash` returns a new hash of the password; with `hash` returns whether the password matches it. `network` of the client takes turns. */
export const runPasswordHashingTask = (
  task: PasswordHashingTask,
  network: string | undefined,
): Promise<string | boolean> =>
  runLimited(async () => {
    const worker = idleWorkers.pop() ?? startWorker();
    worker.ref();
    const { result, error } = await runOnWorker(worker, task);
    // An idle thread must not keep the process alive.
    worker.unref();
    idleWorkers.push(worker);
    if (result === undefined) throw new Error(error);
    return result;
  }, network);

interface HashingResponse {
  result?: string | boolean;
  error?: string;
}

/** Rejects when the thread exits before it responds; the caller then discards it. */
async function runOnWorker(worker: Worker, task: PasswordHashingTask): Promise<HashingResponse> {
  const settled = new AbortController();
  const { signal } = settled;
  const responded = once(worker, 'message', { signal });
  const exited = once(worker, 'exit', { signal }).then(() => {
    throw new Error('A hashing worker thread exited before it responded.');
  });
  worker.postMessage(task);
  try {
    const [response] = (await Promise.race([responded, exited])) as [HashingResponse];
    return response;
  } finally {
    settled.abort();
    // Removes the listener that lost the race; its rejection is expected.
    exited.catch(() => {});
  }
}

const startWorker = () =>
  new Worker(workerSource, {
    eval: true,
    workerData: { argon2: createRequire(import.meta.url).resolve('@node-rs/argon2'), cost: argon2Options },
  });
