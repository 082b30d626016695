/** What the process counts about itself, for whoever operates it. Labels come from closed sets, never from callers. */
export type Voice = 'rest' | 'graphql' | 'other';
export type Outcome = 'ok' | 'failed';

/** Why a request was sent away before it began. */
export type Refusal = 'budget' | 'overload';

export interface Metrics {
  /** `operation` is a row, a registered operation or a path we have; `outcome` is `ok` or the code of the error. */
  request(voice: Voice, operation: string, outcome: string, seconds: number): void;
  statement(): void;
  /** Somebody got a connection of the pool, or gave up. */
  waited(seconds: number): void;
  /** Something asked of a part outside of the process. */
  call(port: string, name: string, outcome: Outcome, seconds: number): void;
  job(queue: string, outcome: Outcome, seconds: number): void;
  refused(why: Refusal): void;
  /** Rows of a table that were kept long enough and are gone. */
  swept(table: string, rows: number): void;
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
export const noMetrics: Metrics = {
  request() {},
  statement() {},
  waited() {},
  call() {},
  job() {},
  refused() {},
  swept() {},
};
