/** Port of the primary process of several workers: limits, metrics and state that the workers share. */
import type { RateLimitRule, RateLimitState } from './rate-limits.ts';

export interface WorkerCounts {
  running: number;
  configured: number;
}

/** Requests that a worker sends to the primary. */
export interface CallsToPrimary {
  consume(rule: RateLimitRule, key: string): Promise<RateLimitState | undefined>;
  release(rule: RateLimitRule, key: string): Promise<void>;
  /** Adds units to request budgets. Returns the units of all workers, and the milliseconds until the window ends. */
  addUsage(batch: readonly (readonly [key: string, units: number])[]): Promise<[used: number, ms: number][]>;
  /** Metrics of all workers in the text format of Prometheus. */
  metrics(): Promise<string>;
}

export interface PrimaryProcessClient extends CallsToPrimary {
  counts(): WorkerCounts;
  /** The listener is called when another worker has replaced this one. */
  onReplaced(listener: () => void): void;
}
