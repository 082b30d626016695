/** Counts attempts and refuses those beyond a limit, against guessing and flooding. */
export interface RateLimitRule {
  /** Unique among all rules. */
  readonly name: string;
  readonly points: number;
  readonly seconds: number;
}

export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Seconds until the count starts anew. */
  reset: number;
  exceeded: boolean;
}

export interface RateLimits {
  /** Counts one attempt; undefined when nothing is limited. */
  consume(rule: RateLimitRule, key: string): Promise<RateLimitState | undefined>;
  /** Takes one attempt back, for those that turned out well. */
  release(rule: RateLimitRule, key: string): Promise<void>;
  close(): Promise<void>;
}
