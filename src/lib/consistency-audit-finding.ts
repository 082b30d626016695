/** Findings of the consistency audit. */

/** An inconsistency in the stored data. */
export interface ConsistencyAuditFinding {
  /** Record with the problem, such as `order:<id>`. */
  about: string;
  problem: string;
}
