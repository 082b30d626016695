/** Findings of the consistency audit. */

/** An inconsistency in the stored data. */
export interface AuditFinding {
  /** Record with the problem, such as `order:<id>`. */
  about: string;
  problem: string;
}

/** Smaller than every id: the start of a keyset scan. */
export const nilId = '00000000-0000-0000-0000-000000000000';
