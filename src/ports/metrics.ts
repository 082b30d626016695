/** Port of metrics. Label values come from closed sets, never from clients. */
export type Protocol = 'rest' | 'graphql' | 'other';
export type CallOutcome = 'ok' | 'failed';

/** Reason for rejecting a request before it starts. */
type RequestRejectionReason = 'budget' | 'overload' | 'refusals';

export interface Metrics {
  /** `operation` is a route, a registered operation or a fixed path; `outcome` is `ok` or the error code. */
  request(protocol: Protocol, operation: string, outcome: string, seconds: number): void;
  statement(): void;
  /** Time until a connection of the pool was acquired, or the wait timed out. */
  poolWait(seconds: number): void;
  /** A call of an external service. */
  call(port: string, name: string, outcome: CallOutcome, seconds: number): void;
  job(queue: string, outcome: CallOutcome, seconds: number): void;
  requestRejected(reason: RequestRejectionReason): void;
  /** Rows deleted by the retention job. */
  rowsDeleted(table: string, rows: number): void;
}

/** Totals of one kind of request since the process started. */
export interface RequestTotals {
  protocol: string;
  operation: string;
  outcome: string;
  count: number;
  seconds: number;
  /** Cumulative histogram: number of requests that took at most `seconds`, in ascending order. */
  within: [seconds: number, count: number][];
}
