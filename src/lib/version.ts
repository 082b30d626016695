/** Optimistic locking: every change gives a record a greater version, and may name the one it was made from. */
import { AppError } from '../errors.ts';

/** A change that was made from another version than the one that is there. */
export class OtherVersion extends AppError {
  readonly current: number;

  constructor(current: number) {
    super(
      'PRECONDITION_FAILED',
      `This record has changed since you read it (version ${current}). Read it again.`,
    );
    this.current = current;
  }
}

export function expectVersion(current: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== current) throw new OtherVersion(current);
}

/** The same as part of a condition. */
export const ofVersion = (expected: number | undefined) =>
  expected === undefined ? {} : { version: expected };

/**
 * The least that a change may give, see src/db/lineage.ts. The database sees to it; here it is known so that we answer with the version
 * that it will write. Of several databases in one process the greatest counts: versions may skip numbers, but not repeat them.
 */
let least = 1;

export function skipVersionsTo(version: number): void {
  least = Math.max(least, version);
}

/** What a record of this version becomes by a change. */
export const nextVersion = (version: number): number => Math.max(version + 1, least);
