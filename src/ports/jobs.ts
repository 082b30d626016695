/** Work that outlives the request: written with the change that causes it, run at least once, retried. */
import type { Queries } from '../db/sql.ts';

export interface JobOptions {
  /** Not before this moment, in seconds. */
  startAt?: number;
  /** For queues with `keyed`: at most one waiting job of the queue has this key. */
  key?: string;
}

/** How a queue treats its jobs. */
export interface JobPolicy {
  /** Tries after the first one, with growing pauses. */
  retries?: number;
  /** Jobs of this queue that one process runs at a time. */
  concurrency?: number;
  /** Every job carries a key, and a key that is waiting already adds nothing. */
  keyed?: boolean;
  /** A job that takes longer, or whose process died, is tried again after this many seconds. Default 60. */
  timeout?: number;
  /** A cron expression: the queue also gets an empty job at these times, once whatever the number of processes. */
  cron?: string;
  /** The queue also gets an empty job when a process starts: for what a dead one left behind. */
  atStart?: boolean;
}

/** What a domain registers: the name of a queue and what to do with its jobs. */
export interface JobHandler<Services, Data extends object = object> {
  readonly name: string;
  readonly policy?: JobPolicy;
  run(services: Services, data: Data): Promise<void>;
}

export interface Jobs {
  /** Writes a job in the transaction of the change that causes it: it runs if, and only if, that commits. */
  enqueue(queries: Queries, name: string, data: object, options?: JobOptions): Promise<void>;
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
export interface JobDesk {
  states(): Promise<QueueState[]>;
  /** Newest first. */
  failed(limit: number): Promise<FailedJob[]>;
  /** Both return whether there was such a failed job. */
  retry(id: string): Promise<boolean>;
  drop(id: string): Promise<boolean>;
}
