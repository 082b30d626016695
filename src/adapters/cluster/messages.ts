/** Messages between the primary and its workers, over the channel of node:cluster. */
import type { PrimaryCalls, WorkerCounts } from '../../ports/primary-process.ts';

export type PrimaryCallName = keyof PrimaryCalls;

export interface PrimaryCallMessage {
  type: 'duet:call';
  id: number;
  name: PrimaryCallName;
  args: unknown[];
}

export type PrimaryMessage =
  | { type: 'duet:result'; id: number; result?: unknown; error?: string }
  | { type: 'duet:counts'; counts: WorkerCounts }
  /** Another worker listens: finish the running requests, then exit. */
  | { type: 'duet:replaced' };
