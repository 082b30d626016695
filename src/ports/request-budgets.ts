/** Request budgets: cost units per caller and minute. Every request is charged, so `spend` is synchronous. */
export interface RequestBudgetState {
  readonly limit: number;
  /** Remaining units; negative if the last request cost more than was left. */
  readonly remaining: number;
  /** Seconds until the full budget is available again. */
  readonly reset: number;
}

export interface RequestBudgets {
  /** Charges units to the caller `key`; a negative number refunds units, zero only reads the state. */
  spend(key: string, units: number): RequestBudgetState;
  close(): Promise<void>;
}
