/** Counts attempts and refuses those beyond a limit, against guessing and flooding. */
export interface LimitRule {
  /** Unique among all rules. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

export interface LimitState {
  limit: number;
  remaining: number;
  /** Seconds until the count starts anew. */
  reset: number;
  exceeded: boolean;
}

export interface Limits {
  /** Counts one attempt; undefined when nothing is limited. */
  take(rule: LimitRule, key: string): Promise<LimitState | undefined>;
  /** Takes one attempt back, for those that turned out well. */
  giveBack(rule: LimitRule, key: string): Promise<void>;
  close(): Promise<void>;
}
