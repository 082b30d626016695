/** What an auditor says. */

/** Something that does not balance. */
export interface Finding {
  /** What it is about, such as `order:<id>`. */
  about: string;
  problem: string;
}

/** Before every id there is. */
export const firstId = '00000000-0000-0000-0000-000000000000';
