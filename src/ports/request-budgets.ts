/** What each caller may spend in a minute. Every request is counted, so counting never waits. */
export interface RequestBudgetState {
  readonly limit: number;
  /** Units that are left; below zero when the last request cost more than there was. */
  readonly remaining: number;
  /** Seconds until the whole budget is there again. */
  readonly reset: number;
}

export interface RequestBudgets {
  /** Takes units, or puts them back if they are negative; zero only looks. */
  spend(key: string, units: number): RequestBudgetState;
  close(): Promise<void>;
}
