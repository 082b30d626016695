/** What an auditor says. */

/** Something that does not balance. */
export interface AuditFinding {
  /** What it is about, such as `order:<id>`. */
  about: string;
  problem: string;
}

/** Before every id there is. */
export const nilId = '00000000-0000-0000-0000-000000000000';
