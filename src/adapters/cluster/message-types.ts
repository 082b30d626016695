/** Messages between the primary and its workers, over the channel of node:cluster. */
import type { CallsToPrimary, WorkerCounts } from '../../ports/primary-process-client.ts';

export type CallToPrimaryName = keyof CallsToPrimary;

export interface CallToPrimaryMessage {
  type: 'duet:call';
  id: number;
  name: CallToPrimaryName;
  args: unknown[];
}

export type MessageToWorker =
  | { type: 'duet:result'; id: number; result?: unknown; error?: string }
  | { type: 'duet:counts'; counts: WorkerCounts }
  /** Another worker listens: finish the running requests, then exit. */
  | { type: 'duet:replaced' };
