/** Optimistic locking: every change gives a record a greater version, and may name the one it was made from. */
import { AppError } from '../errors.ts';

/** A change that was made from another version than the one that is there. */
export class VersionConflictError extends AppError {
  readonly current: number;

  constructor(current: number) {
    super(
      'PRECONDITION_FAILED',
      `This record has changed since you read it (version ${current}). Read it again.`,
    );
    this.current = current;
  }
}

export function assertVersion(current: number, expected: number | undefined): void {
  if (expected !== undefined && expected !== current) throw new VersionConflictError(current);
}

/** The same as part of a condition. */
export const versionCondition = (expected: number | undefined) =>
  expected === undefined ? {} : { version: expected };
