/** Port of rate limits: counts attempts per key and rejects those above a limit, against guessing and flooding. */
export interface RateLimitRule {
  /** Unique among all rules; part of the storage key. */
  readonly name: string;
  /** Attempts per window. */
  readonly points: number;
  /** Length of the window. */
  readonly seconds: number;
}

export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Seconds until the window ends. */
  reset: number;
  exceeded: boolean;
}

export interface RateLimiter {
  /** Counts one attempt; undefined if rate limits are disabled. */
  consume(rule: RateLimitRule, key: string): Promise<RateLimitState | undefined>;
  /** Removes one attempt, after a successful one. */
  release(rule: RateLimitRule, key: string): Promise<void>;
  close(): Promise<void>;
}
