/** Work that outlives the request: written with the change that causes it, run at least once, retried. */
import { z } from 'zod';
import type { Queries } from '../db/handles.ts';

export interface EnqueueOptions {
  /** Not before this moment, in seconds. */
  startAt?: number;
  /** For queues with `keyed`: at most one waiting job of the queue has this key. */
  key?: string;
  /** How many of the same business wait already: the first of others come before its second. */
  fairnessRank?: number;
}

/** How a queue treats its jobs. */
export interface JobPolicy {
  /** Tries after the first one, with growing pauses. */
  retries?: number;
  /** Jobs of this queue that one process runs at a time. */
  concurrency?: number;
  /** Every job carries a key, and a key that is waiting already adds nothing. */
  deduplicateByKey?: boolean;
  /** Jobs say nothing but that there is something to do: one run does for several that wait. */
  coalesce?: boolean;
  /** A job that takes longer, or whose process died, is tried again after this many seconds. Default 60. */
  timeout?: number;
  /** A cron expression: the queue also gets an empty job at these times, once whatever the number of processes. */
  cron?: string;
  /** The queue also gets an empty job when a process starts: for what a dead one left behind. */
  atStart?: boolean;
}

/** Work with a name: what is queued under it and what is done with it. Each domain gathers its own in jobs.ts. */
export interface Job<Services, Data extends object = object> {
  readonly name: string;
  readonly policy: JobPolicy;
  /** What was read back from the queue, checked: an older version of the gateway may have written it. */
  parse(data: unknown): Data;
  run(services: Services, data: unknown): Promise<void>;
}

/** Thrown by a job for which trying again is pointless: it is among what has failed for good at once. */
export class PermanentJobError extends Error {
  override readonly name = 'JobRefused';
}

/** For jobs that need no data, those started by the clock among them. */
export const noJobData = z.object({});

/** Defined beside the work it does, so that whoever queues it imports both and jobs.ts only gathers. */
export function defineJob<Services, Data extends object>(
  name: string,
  schema: z.ZodType<Data>,
  work: (services: Services, data: Data) => Promise<void>,
  policy: JobPolicy = {},
): Job<Services, Data> {
  const parse = (data: unknown) => schema.parse(data);
  return { name, policy, parse, run: async (services, data) => work(services, parse(data)) };
}

export interface Jobs {
  /** Writes a job in the transaction of the change that causes it: it runs if, and only if, that commits. */
  enqueue<Data extends object>(
    queries: Queries,
    job: Job<never, Data>,
    data: NoInfer<Data>,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Throws away jobs, done or not, that were written until then and are about somebody at one of these addresses in lower case. */
  deleteForAddresses(queries: Queries, addresses: readonly string[], until: Date): Promise<void>;
}

export interface QueueState {
  queue: string;
  waiting: number;
  running: number;
  /** Jobs that used up their tries. */
  failed: number;
  /** How long the job that is due longest has been waiting, in seconds. */
  oldestSeconds: number;
}

export interface FailedJob {
  id: string;
  queue: string;
  failedAt: number;
  tries: number;
  reason: string;
}

/** What an operator sees of the queues, and may do about it. */
export interface JobAdmin {
  states(): Promise<QueueState[]>;
  /** Newest first. */
  listFailed(limit: number): Promise<FailedJob[]>;
  /** Both return whether there was such a failed job. */
  retry(id: string): Promise<boolean>;
  drop(id: string): Promise<boolean>;
}
