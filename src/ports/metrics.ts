/** What the process counts about itself, for whoever operates it. Labels come from closed sets, never from callers. */
export type Protocol = 'rest' | 'graphql' | 'other';
export type CallOutcome = 'ok' | 'failed';

/** Why a request was sent away before it began. */
export type RejectionReason = 'budget' | 'overload';

export interface Metrics {
  /** `operation` is a row, a registered operation or a path we have; `outcome` is `ok` or the code of the error. */
  request(voice: Protocol, operation: string, outcome: string, seconds: number): void;
  statement(): void;
  /** Somebody got a connection of the pool, or gave up. */
  poolWait(seconds: number): void;
  /** Something asked of a part outside of the process. */
  call(port: string, name: string, outcome: CallOutcome, seconds: number): void;
  job(queue: string, outcome: CallOutcome, seconds: number): void;
  requestRejected(why: RejectionReason): void;
  /** Rows of a table that were kept long enough and are gone. */
  rowsDeleted(table: string, rows: number): void;
}

/** What was counted of one kind of request so far. */
export interface RequestTotals {
  voice: string;
  operation: string;
  outcome: string;
  count: number;
  seconds: number;
  /** How many took at most so many seconds, in rising order. */
  within: [seconds: number, count: number][];
}

/** While nobody looks. */
export const noopMetrics: Metrics = {
  request() {},
  statement() {},
  poolWait() {},
  call() {},
  job() {},
  requestRejected() {},
  rowsDeleted() {},
};
