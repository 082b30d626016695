/** Port of the job queue. Jobs are written in the transaction of the change that causes them, run at least once and are retried. */
import { z } from 'zod';
import type { QueryHandle } from '../db/handles.ts';

interface EnqueueOptions {
  /** Earliest start, Unix time in seconds. */
  startAt?: number;
  /** For queues with `deduplicateByKey`: at most one waiting job of the queue has this key. */
  key?: string;
  /** Number of waiting jobs of the same business. Lower ranks run first, so that businesses take turns. */
  fairnessRank?: number;
}

/** Settings of a queue. */
export interface JobPolicy {
  /** Retries after the first attempt, with increasing delays. */
  retries?: number;
  /** Concurrent jobs of this queue per process. */
  concurrency?: number;
  /** Every job has a key; enqueueing a key that is already waiting has no effect. */
  deduplicateByKey?: boolean;
  /** Jobs have no data and only signal work: one run handles all waiting jobs. */
  coalesce?: boolean;
  /** Seconds after which a running job is retried, because it hangs or its process died. Default 60. */
  timeout?: number;
  /** Deletes the data of a job when it completes: messages contain personal data. Failed jobs keep it for a retry. */
  discardData?: boolean;
  /** Cron expression: an empty job is enqueued at these times, once for all processes. */
  cron?: string;
  /** An empty job is enqueued when a process starts, to resume the work of a process that died. */
  atStart?: boolean;
}

/** A job type: queue name, policy, data schema and handler. Domains list their jobs in the file whose name contains `jobs`. */
export interface JobDefinition<Services, Data extends object = object> {
  readonly name: string;
  readonly policy: JobPolicy;
  /** Validates data from the queue, which an older version of the gateway may have written. */
  parse(data: unknown): Data;
  run(services: Services, data: unknown): Promise<void>;
}

/** Thrown by a job that must not be retried: the job fails permanently at once. */
export class PermanentJobError extends Error {
  override readonly name = 'PermanentJobError';
}

/** Schema of jobs without data, such as cron jobs. */
export const noJobDataSchema = z.object({});

/** Defines a job next to its handler. */
export function defineJob<Services, Data extends object>(
  name: string,
  schema: z.ZodType<Data>,
  work: (services: Services, data: Data) => Promise<void>,
  policy: JobPolicy = {},
): JobDefinition<Services, Data> {
  const parse = (data: unknown) => schema.parse(data);
  return { name, policy, parse, run: async (services, data) => work(services, parse(data)) };
}

export interface JobEnqueuer {
  /** Writes a job in the transaction of the change that causes it: the job runs if and only if the transaction commits. */
  enqueue<Data extends object>(
    queries: QueryHandle,
    job: JobDefinition<never, Data>,
    data: NoInfer<Data>,
    options?: EnqueueOptions,
  ): Promise<void>;
  /** Deletes jobs, finished or not, that were created until `until` and contain one of these email addresses (lower case). */
  deleteForAddresses(queries: QueryHandle, addresses: readonly string[], until: Date): Promise<void>;
}

export interface QueueState {
  queue: string;
  waiting: number;
  running: number;
  /** Jobs without retries left. */
  failed: number;
  /** Seconds since the oldest waiting job became due. */
  oldestSeconds: number;
}

export interface FailedJob {
  id: string;
  queue: string;
  failedAt: number;
  tries: number;
  reason: string;
}

/** Operator access to the queues. */
export interface JobAdmin {
  states(): Promise<QueueState[]>;
  /** Newest first. */
  listFailed(limit: number): Promise<FailedJob[]>;
  /** `retry` and `drop` return whether there is such a failed job. */
  retry(id: string): Promise<boolean>;
  drop(id: string): Promise<boolean>;
}
